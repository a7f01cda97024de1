package dev.retier.iwarp.rdmap;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects between two uses, the last one used first: a queue makes no more of them than it ever held at once, and those
 * that it uses are warm in the processor's cache. Guarded by its user's lock.
 *
 * @param <T> what is used again and again
 */
public final class Spares<T> {
    private static final int FIRST_PLACES = 16;

    private final Supplier<T> maker;
    private @Nullable Object[] places = new @Nullable Object[FIRST_PLACES];
    private int count;

    /** None yet; {@code maker} makes one when there is none. */
    public Spares(Supplier<T> maker) {
        this.maker = maker;
    }

    /** One of them, the caller's until it gives it back. */
    @SuppressWarnings("unchecked") // give takes nothing else
    public T take() {
        if (count == 0) {
            return maker.get();
        }
        Object last = Objects.requireNonNull(places[--count]);
        places[count] = null;
        return (T) last;
    }

    /** Takes one back. */
    public void give(T spare) {
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = spare;
    }
}
