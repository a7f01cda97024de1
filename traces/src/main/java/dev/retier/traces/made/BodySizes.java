package dev.retier.traces.made;

import dev.retier.traces.UnitHash;

/** How long the objects of a generated trace are. The same object always has the same length. */
public sealed interface BodySizes {
    /** Longest body a generator asks for: 1 GiB. */
    long MAX_BYTES = 1L << 30;

    /** Body length of object {@code id}, 0..{@link #MAX_BYTES}. */
    long sizeBytes(long id);

    /**
     * All objects alike.
     *
     * @param bytes the length, 0..{@link #MAX_BYTES}
     */
    record Fixed(long bytes) implements BodySizes {
        /** Checks the range. */
        public Fixed {
            if (bytes < 0 || bytes > MAX_BYTES) {
                throw new IllegalArgumentException("body size " + bytes + " is not within 0.." + MAX_BYTES);
            }
        }

        @Override
        public long sizeBytes(long id) {
            return bytes;
        }
    }

    /**
     * Log-normal, the usual shape of web objects: half of them below the median, a long tail above.
     *
     * @param medianBytes 1..{@link #MAX_BYTES}
     * @param sigma standard deviation of the logarithm, 0..5; the World Cup sample has about 1.5
     * @param capBytes longest, from the median to {@link #MAX_BYTES}
     */
    record LogNormal(long medianBytes, double sigma, long capBytes) implements BodySizes {
        /** Checks the ranges. */
        public LogNormal {
            if (medianBytes < 1 || capBytes < medianBytes || capBytes > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "body sizes: median " + medianBytes + " and cap " + capBytes + " do not fit 1.." + MAX_BYTES);
            }
            if (!(sigma >= 0 && sigma <= 5)) {
                throw new IllegalArgumentException("body sizes: sigma " + sigma + " is not within 0..5");
            }
        }

        @Override
        public long sizeBytes(long id) {
            double first = Math.max(UnitHash.of(2 * id), Double.MIN_NORMAL);
            double second = UnitHash.of(2 * id + 1);
            double normal = StrictMath.sqrt(-2 * StrictMath.log(first)) * StrictMath.cos(2 * Math.PI * second);
            return Math.min(capBytes, Math.round(medianBytes * StrictMath.exp(sigma * normal)));
        }
    }
}
