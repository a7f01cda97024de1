package dev.retier.bench.iwarp;

/** Sizes for people. */
final class Sizes {
    private Sizes() {}

    /** {@code 4 B}, {@code 64 KiB}, {@code 1 MiB}. */
    static String text(int bytes) {
        if (bytes >= 1 << 20) {
            return (bytes >> 20) + " MiB";
        }
        return bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B";
    }
}
