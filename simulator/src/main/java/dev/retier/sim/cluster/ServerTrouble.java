package dev.retier.sim.cluster;

import dev.retier.agent.status.ServerStatus;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What is wrong with one server that still works: its status page, its way with new files. Not thread-safe. */
public final class ServerTrouble {
    private static final long MOST_NONSENSE = 1_000_000_000_000L;

    private static final int MOST_IN_FLIGHT = 1 << 20;

    private final SplittableRandom nonsense;
    private Page page = Page.TRUE;
    private @Nullable ServerStatus frozen;
    private boolean isRefusing;
    private boolean isDeaf;

    /** What the status page tells. */
    public enum Page {
        /** What is. */
        TRUE,
        /** What was, again and again. */
        FROZEN,
        /** Any figures for its load. */
        LYING,
        /** Of processor time and files what is, of requests what was. */
        PARTIAL,
        /** More than fits, or what nobody can read. */
        MALFORMED,
        /** Nothing: who asks waits in vain. */
        HANGING
    }

    ServerTrouble(long seed) {
        this.nonsense = new SplittableRandom(seed);
    }

    /** What the page tells from now on. */
    public void page(Page next) {
        page = next;
        frozen = null;
    }

    /** Whether it refuses every file that differs from what it runs. */
    public void refuse(boolean isWanted) {
        isRefusing = isWanted;
    }

    /** Whether it takes no notice of new files. */
    public void ignoreFiles(boolean isWanted) {
        isDeaf = isWanted;
    }

    /** What the page tells. */
    public Page page() {
        return page;
    }

    boolean isRefusing() {
        return isRefusing;
    }

    boolean isDeaf() {
        return isDeaf;
    }

    ServerStatus told(ServerStatus truth) {
        return switch (page) {
            case TRUE -> truth;
            case FROZEN -> before(truth);
            case LYING -> lie(truth);
            case PARTIAL -> partly(truth);
            case MALFORMED, HANGING -> throw new IllegalStateException("a page that is " + page + " tells nothing");
        };
    }

    private ServerStatus before(ServerStatus truth) {
        ServerStatus before = frozen == null ? truth : frozen;
        frozen = before;
        return before;
    }

    private ServerStatus partly(ServerStatus truth) {
        ServerStatus before = before(truth);
        return new ServerStatus(
                truth.role(),
                truth.site(),
                truth.appliedStamp(),
                truth.lastRefusal(),
                truth.capacityUnitsPerSecond(),
                truth.busySeconds(),
                before.inFlight(),
                before.backEndInFlight(),
                before.lastClientRequestAgeSeconds(),
                before.requests(),
                before.cacheHits(),
                before.cacheMisses(),
                truth.uptimeSeconds());
    }

    /** Of files it tells the truth: the proof that a file is in force is asked for by requests, not by this page. */
    private ServerStatus lie(ServerStatus truth) {
        return new ServerStatus(
                truth.role(),
                truth.site(),
                truth.appliedStamp(),
                truth.lastRefusal(),
                truth.capacityUnitsPerSecond(),
                nonsense.nextDouble() * MOST_NONSENSE,
                nonsense.nextInt(MOST_IN_FLIGHT),
                nonsense.nextInt(MOST_IN_FLIGHT),
                nonsense.nextBoolean() ? null : nonsense.nextDouble() * MOST_NONSENSE,
                nonsense.nextLong(MOST_NONSENSE),
                nonsense.nextLong(MOST_NONSENSE),
                nonsense.nextLong(MOST_NONSENSE),
                truth.uptimeSeconds());
    }
}
