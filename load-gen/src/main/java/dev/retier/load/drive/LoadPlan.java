package dev.retier.load.drive;

import dev.retier.load.http.HeaderField;
import dev.retier.load.measure.GoodStatuses;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one site's load. Made by {@link #of} and the {@code with...} methods of {@link LoadPlanBuilder}; a
 * run starts only when {@link #problems()} finds none.
 *
 * @param site name of the site, as the agents know it
 * @param trace what to send
 * @param loops how often to go through the trace, from 1
 * @param targets where to send it
 * @param clients connections, each with one request outstanding, 1..{@link #MAX_CLIENTS}
 * @param host value of the Host field; null: the target's own host and port
 * @param interval length of the intervals in the result, 10 ms to 1 h; doubles when a run gets very long
 * @param requestTimeout longest wait for a complete answer, 10 ms to 10 min
 * @param duration end of the run by the clock; null: none
 * @param maxRequests end of the run by count; 0: none
 * @param eventLoops threads that send, 1..{@link #MAX_EVENT_LOOPS}
 * @param stopGrace how long requests in flight may take once the run ends by the clock or by a stop; then they are
 *     dropped. 0 to 10 min
 * @param stallLimit the run ends when no good answer has come for this long, 100 ms to 1 d
 * @param pacing closed loop, or when requests are due
 * @param maxQueued open loop: due requests that may wait for a free client, per event loop, 1..1,000,000; more are
 *     dropped. One with a body counts as one more for each KiB of it
 * @param connections what becomes of connections between requests, and as the list of targets changes
 * @param retries how often a request may be sent again after its connection was refused, could not be made, or, if
 *     sending it twice does no harm, ended before the answer began, 0..{@link #MAX_RETRIES}; every retry is counted
 * @param conditional whether requests that were answered 304 in the trace are sent as conditional ones
 * @param headers fields of every request's head
 * @param good which statuses count as good
 * @param tls how targets are spoken to over TLS: all of them, if not null; null: those whose list says so, checked
 *     against Java's trust store
 * @param answerWithin how long after its due time an answer is in time, for the site's guarantee, 1 ms to 10 min
 * @param streams that answers are streams to be held, and how; null: answers have an end
 * @param targetWait how long to wait for the first target list, 0 to 10 min
 */
public record LoadPlan(
        String site,
        Trace trace,
        int loops,
        TargetSource targets,
        int clients,
        @Nullable String host,
        Duration interval,
        Duration requestTimeout,
        @Nullable Duration duration,
        long maxRequests,
        int eventLoops,
        Duration stopGrace,
        Duration stallLimit,
        Pacing pacing,
        int maxQueued,
        Connections connections,
        int retries,
        boolean conditional,
        List<HeaderField> headers,
        GoodStatuses good,
        @Nullable TlsOptions tls,
        Duration answerWithin,
        @Nullable Streams streams,
        Duration targetWait) {
    /** As many connections as one address can open to one target, less those in TIME_WAIT. */
    public static final int MAX_CLIENTS = 50_000;

    /** More than any client machine needs. */
    public static final int MAX_EVENT_LOOPS = 64;

    /** A target that needs more is down. */
    public static final int MAX_RETRIES = 5;

    private static final String SERVER_NAME = "[A-Za-z0-9:-]{1,63}(\\.[A-Za-z0-9-]{1,63}){0,10}";
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /** A plan with the defaults: 48 clients, one event loop, quarter-second intervals, 10 s time-out, one pass. */
    public static LoadPlanBuilder of(String site, Trace trace, TargetSource targets) {
        return new LoadPlanBuilder(site, trace, targets);
    }

    /** Everything that is wrong with this plan, one line each; empty when it can run. */
    public List<String> problems() {
        Problems problems = new Problems();
        problems.unless(site.matches("[A-Za-z0-9._-]{1,64}"), "site '" + site + "': use 1..64 letters, digits, . _ -");
        problems.unless(loops >= 1, "loops " + loops + ": must be at least 1");
        problems.within("clients", clients, 1, MAX_CLIENTS);
        problems.within("event loops", eventLoops, 1, MAX_EVENT_LOOPS);
        problems.within("retries", retries, 0, MAX_RETRIES);
        problems.within("queued requests", maxQueued, 1, 1_000_000);
        problems.unless(maxRequests >= 0, "max requests " + maxRequests + ": must not be negative");
        problems.unless(
                host == null || host.matches("[!-~]{1,255}"), "host: must be 1..255 printable characters, no spaces");
        problems.unless(
                tls == null || tls.serverName() == null || tls.serverName().matches(SERVER_NAME),
                "TLS server name: must be a host name or an address");
        problems.within("interval", interval, Duration.ofMillis(10), Duration.ofHours(1));
        problems.within("request time-out", requestTimeout, Duration.ofMillis(10), TEN_MINUTES);
        problems.within("stop grace", stopGrace, Duration.ZERO, TEN_MINUTES);
        problems.within("stall limit", stallLimit, Duration.ofMillis(100), DAY);
        problems.within("answer within", answerWithin, Duration.ofMillis(1), TEN_MINUTES);
        problems.within("target wait", targetWait, Duration.ZERO, TEN_MINUTES);
        if (streams != null) {
            problems.found.addAll(streams.problems());
            problems.unless(
                    streams.hold() != null || duration != null,
                    "streams that are held until the run ends need a duration (-d), or a time to hold them");
            problems.unless(
                    !streams.isWebSocket() || connections != Connections.NEW,
                    "connections new: each WebSocket has a connection of its own anyway; leave it out");
        }
        if (duration != null) {
            problems.within("duration", duration, Duration.ofMillis(10), Duration.ofDays(366));
        }
        return List.copyOf(problems.found);
    }

    private static final class Problems {
        private final List<String> found = new ArrayList<>();

        void unless(boolean good, String problem) {
            if (!good) {
                found.add(problem);
            }
        }

        void within(String what, long value, long min, long max) {
            unless(value >= min && value <= max, what + " " + value + ": must be " + min + ".." + max);
        }

        void within(String what, Duration value, Duration min, Duration max) {
            unless(
                    value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                    what + " " + value.toMillis() + " ms: must be " + min.toMillis() + ".." + max.toMillis() + " ms");
        }
    }
}
