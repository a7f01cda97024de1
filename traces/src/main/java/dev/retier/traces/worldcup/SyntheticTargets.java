package dev.retier.traces.worldcup;

import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The URLs of synthetic objects, each kept from its last request, as most requests ask for an object that was asked for
 * before, with the same length. URLs of ids beyond {@link #MAX_OBJECTS} are made anew each time. One thread.
 */
final class SyntheticTargets {
    /** The World Cup site had 89,997 objects; this many URLs take less than 16 MB. */
    static final int MAX_OBJECTS = 1 << 17;

    private @Nullable SyntheticObject[] objects = new @Nullable SyntheticObject[0];
    private String[] targets = new String[0];

    /** {@link SyntheticObject#target()} of the object with this id (from 0), class and length. */
    String target(long id, RequestClass requestClass, long sizeBytes) {
        if (id >= MAX_OBJECTS) {
            return new SyntheticObject(id, requestClass, sizeBytes).target();
        }
        int index = (int) id;
        if (index >= objects.length) {
            grow(index);
        }
        SyntheticObject known = objects[index];
        return known != null && known.sizeBytes() == sizeBytes && known.requestClass() == requestClass
                ? targets[index]
                : made(index, new SyntheticObject(id, requestClass, sizeBytes));
    }

    private String made(int index, SyntheticObject object) {
        String target = object.target();
        objects[index] = object;
        targets[index] = target;
        return target;
    }

    private void grow(int index) {
        int length = Math.min(MAX_OBJECTS, Math.max(index + 1, objects.length * 2));
        objects = Arrays.copyOf(objects, length);
        targets = Arrays.copyOf(targets, length);
    }
}
