package dev.retier.agent.status;

import java.time.Duration;

/** Tells a status page that stands still from one that lives: what is copied from somewhere else may lie for hours. */
public final class PageWatch {
    private final long boundNanos;
    private long uptimeSeconds = -1;
    private long sinceNanos;

    /** A watch by which a page whose uptime has not moved for {@code bound} stands still. Not thread-safe. */
    public PageWatch(Duration bound) {
        this.boundNanos = bound.toNanos();
    }

    /** Whether this page, the newest, still says what was said long ago. */
    public boolean isStill(ServerPage page, long nowNanos) {
        if (page.uptimeSeconds() != uptimeSeconds) {
            uptimeSeconds = page.uptimeSeconds();
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos >= boundNanos;
    }
}
