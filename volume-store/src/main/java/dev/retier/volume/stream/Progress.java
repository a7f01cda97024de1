package dev.retier.volume.stream;

/** Who hears how far it is. */
@FunctionalInterface
public interface Progress {
    /** So many bytes of so many are done. */
    void at(long done, long all);
}
