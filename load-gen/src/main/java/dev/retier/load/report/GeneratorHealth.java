package dev.retier.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether the generator itself was the limit.
 *
 * @param busiestLoopShare CPU time of the busiest sending thread over the elapsed time, 0..1; 0 where the machine does
 *     not tell
 * @param warnings one line for each reason to doubt the figures; empty when there is none
 */
public record GeneratorHealth(double busiestLoopShare, List<String> warnings) {
    /** A sending thread busier than this had hardly time to look at the clock. */
    public static final double BUSY_SHARE = 0.85;

    /** More late requests than this, and the response times are partly the generator's own. */
    public static final double LATE_SHARE = 0.01;

    /** Copies the list. */
    public GeneratorHealth {
        warnings = List.copyOf(warnings);
    }

    /**
     * Judges a run.
     *
     * @param busiestLoopShare 0..1
     * @param lateRequests requests that the generator got to 10 ms or more after their time
     * @param sent all requests
     */
    public static GeneratorHealth judge(double busiestLoopShare, long lateRequests, long sent) {
        List<String> warnings = new ArrayList<>();
        if (busiestLoopShare > BUSY_SHARE) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the generator was busy: a sending thread used %.0f %% of a core; give it more event loops",
                    busiestLoopShare * 100));
        }
        if (lateRequests > sent * LATE_SHARE) {
            warnings.add("the generator was late: it got to " + lateRequests + " of " + sent
                    + " requests 10 ms or more after their time, which is part of their response time;"
                    + " warm it up, or give it a faster machine");
        }
        return new GeneratorHealth(busiestLoopShare, warnings);
    }

    /** The same, with requests that waited for clients which rested after their connections had failed. */
    public GeneratorHealth withRests(long requests, long sent) {
        return requests <= sent * LATE_SHARE
                ? this
                : warning(
                        requests + " of " + sent + " requests waited 10 ms or more for clients that rested after failed"
                                + " connections, which is part of their response time; give the run more clients, or"
                                + " mend what fails");
    }

    /** The same, with the share of their time that clients of a closed loop rested after failures, 0..1. */
    public GeneratorHealth withRestedShare(double share) {
        return share <= LATE_SHARE
                ? this
                : warning(String.format(
                        Locale.ROOT,
                        "clients rested for %.0f %% of their time after failed connections, in which they asked for"
                                + " nothing: the throughput is that much lower than it could be; mend what fails",
                        share * 100));
    }

    /** The same, with streams that had to wait as all {@code clients} were opening or holding one. */
    public GeneratorHealth withQueuedStreams(long streams, int clients) {
        return streams == 0
                ? this
                : warning(streams + " streams waited, as all " + clients + " clients held or opened one, which"
                        + " is part of their time to open; give the run as many clients (-c) as streams are to"
                        + " be open");
    }

    /** The same, with mistakes of the generator itself; {@code first} is the first of them. */
    public GeneratorHealth withFaults(long faults, @Nullable String first) {
        return faults == 0
                ? this
                : warning("the generator made " + faults + " mistakes of its own, the first: " + first
                        + "; please report this");
    }

    /** The same, with requests that a run that is over says are still in flight. */
    public GeneratorHealth withUnaccounted(long requests) {
        return requests == 0
                ? this
                : warning("what became of " + requests + " requests is not known; please report this");
    }

    /** Both generators together: the busier one, and all warnings. */
    public GeneratorHealth plus(GeneratorHealth other) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(other.warnings);
        return new GeneratorHealth(Math.max(busiestLoopShare, other.busiestLoopShare), all);
    }

    /** The same, with further warnings. */
    public GeneratorHealth withWarnings(List<String> further) {
        return plus(new GeneratorHealth(0, further));
    }

    private GeneratorHealth warning(String text) {
        return withWarnings(List.of(text));
    }
}
