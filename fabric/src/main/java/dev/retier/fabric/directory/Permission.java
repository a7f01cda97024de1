package dev.retier.fabric.directory;

/** One thing that a node may do with a region. */
public enum Permission {
    /** Read its bytes. */
    READ(1),
    /** Write its bytes. */
    WRITE(1 << 1),
    /** Compare-and-set and fetch-add of its words. */
    ATOMIC(1 << 2),
    /** Grant, move and free it. */
    ADMIN(1 << 3);

    private final int bit;

    Permission(int bit) {
        this.bit = bit;
    }

    int bit() {
        return bit;
    }
}
