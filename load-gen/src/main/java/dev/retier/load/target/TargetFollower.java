package dev.retier.load.target;

import java.util.List;

/**
 * Decides which of the lists that arrive is the current one. A newer epoch replaces an older one, an equal epoch
 * replaces, an older one is ignored; an empty list is ignored, because a run with nowhere to go helps nobody; a list of
 * another site is ignored. One thread at a time.
 */
public final class TargetFollower {
    private final String site;
    private TargetList current;
    private long changes;
    private long ignoredOlder;
    private long ignoredEmpty;
    private long ignoredOtherSite;

    /** What became of a list. */
    public enum Verdict {
        /** It is the current list now, and differs from the one before. */
        CHANGED,
        /** It is the current list now, with the targets there were. */
        SAME,
        /** Its epoch is lower than the current one's. */
        IGNORED_OLDER,
        /** It has no target. */
        IGNORED_EMPTY,
        /** It names another site. */
        IGNORED_OTHER_SITE
    }

    /** Nothing is known yet. {@code site} is the one followed. */
    public TargetFollower(String site) {
        this.site = site;
        this.current = new TargetList(Long.MIN_VALUE, site, List.of());
    }

    /** Takes {@code list} or ignores it. */
    public Verdict offer(TargetList list) {
        if (!list.site().isEmpty() && !list.site().equals(site)) {
            ignoredOtherSite++;
            return Verdict.IGNORED_OTHER_SITE;
        }
        if (list.targets().isEmpty()) {
            ignoredEmpty++;
            return Verdict.IGNORED_EMPTY;
        }
        if (list.epoch() < current.epoch()) {
            ignoredOlder++;
            return Verdict.IGNORED_OLDER;
        }
        boolean same = list.targets().equals(current.targets());
        current = list;
        if (same) {
            return Verdict.SAME;
        }
        changes++;
        return Verdict.CHANGED;
    }

    /** The current list; empty until the first one was taken. */
    public TargetList current() {
        return current;
    }

    /** What has been taken and ignored. */
    public FollowReport report() {
        return new FollowReport(
                current.targets().isEmpty() ? 0 : current.epoch(),
                changes,
                ignoredOlder,
                ignoredEmpty,
                ignoredOtherSite);
    }
}
