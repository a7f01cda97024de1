package dev.retier.fabric.regions;

import dev.retier.fabric.directory.RegionFailure;

/** An operation on a region did not happen, or (only for a write) may have happened in part. */
public final class RegionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RegionFailure failure;

    /** Says why, and what is known. */
    public RegionException(RegionFailure failure, String detail) {
        super(failure + ": " + detail);
        this.failure = failure;
    }

    /** Why. */
    public RegionFailure failure() {
        return failure;
    }
}
