package dev.retier.bench.iwarp;

/**
 * Where a side of a connection keeps what, each part on a cache line of its own.
 *
 * @param bytes of one operation
 */
record Layout(int bytes) {
    private static final int LINE = 64;

    /** What goes out. */
    int source() {
        return 0;
    }

    /** What comes in. */
    int sink() {
        return (Math.max(bytes, Long.BYTES) + LINE - 1) / LINE * LINE;
    }

    /** Eight bytes that the other side writes to say how far it has come. */
    int control() {
        return 2 * sink();
    }

    /** Eight bytes to say that from. */
    int progress() {
        return control() + LINE;
    }

    /** All of it. */
    int memoryBytes() {
        return progress() + LINE;
    }
}
