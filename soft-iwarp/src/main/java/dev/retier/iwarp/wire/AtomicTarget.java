package dev.retier.iwarp.wire;

/**
 * The word that an Atomic Request addresses.
 *
 * @param stag the region
 * @param taggedOffset where in it; must address an aligned 64-bit location
 */
public record AtomicTarget(int stag, long taggedOffset) {}
