package dev.retier.fabric.regions;

import dev.retier.fabric.directory.RegionFailure;

/** How a compare-and-set or fetch-add ended. */
public sealed interface AtomicOutcome {
    /**
     * It was carried out, once. A compare-and-set has set the word if {@code found} is what it expected.
     *
     * @param found what the word held before
     */
    record Done(long found) implements AtomicOutcome {}

    /** It was not carried out, and will not be. */
    record Refused(RegionFailure failure, String detail) implements AtomicOutcome {}

    /**
     * Nobody can tell whether it was carried out. It is never repeated by itself: read the word through the same
     * region; what that read returns the operation does not change any more.
     */
    record Unknown(RegionFailure failure, String detail) implements AtomicOutcome {}
}
