package dev.retier.traces.made;

import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import java.util.SplittableRandom;

/**
 * What the requests of a generated trace may ask for.
 *
 * @param objects objects per class, 1..{@link ZipfRanks#MAX_OBJECTS}
 * @param zipfExponent popularity, 0 (all alike) .. 10; web sites are near 0.8
 * @param staticSizes lengths of static bodies
 * @param dynamicSizes lengths of dynamic bodies
 */
public record Catalogue(int objects, double zipfExponent, BodySizes staticSizes, BodySizes dynamicSizes) {
    /** 1,000 objects per class, exponent 0.8, 4 KB static and 1 KB dynamic bodies. */
    public static final Catalogue DEFAULT =
            new Catalogue(1000, 0.8, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));

    /** Prepares to draw objects. */
    Picker picker() {
        return new Picker(this, new ZipfRanks(objects, zipfExponent));
    }

    /** The catalogue with its popularity table. Thread-safe. */
    record Picker(Catalogue catalogue, ZipfRanks ranks) {
        SyntheticObject pick(RequestClass requestClass, SplittableRandom random) {
            int id = ranks.draw(random);
            BodySizes sizes = switch (requestClass) {
                case STATIC -> catalogue.staticSizes();
                case DYNAMIC -> catalogue.dynamicSizes();
            };
            return new SyntheticObject(id, requestClass, sizes.sizeBytes(id));
        }
    }
}
