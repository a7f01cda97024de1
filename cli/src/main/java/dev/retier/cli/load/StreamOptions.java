package dev.retier.cli.load;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.Streams;
import dev.retier.load.schedule.Pacing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** That answers are streams, and what becomes of them. */
@HelpHeading("Streams that are held open")
public final class StreamOptions {
    private static final String THE_RUN = "run";
    private static final int USUAL_CLIENTS = 48;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--hold",
            paramLabel = "DURATION|run",
            converter = HoldConverter.class,
            description = "Each request opens a stream, which is held for so long, as in 30s, or until the run ends"
                    + " (run): an event stream or another answer without end; with a ws:// or wss:// address a"
                    + " WebSocket, where run is the default. Latency is the time to the head of the answer. What the"
                    + " server ends sooner fails as STREAM_ENDED.")
    private @Nullable Hold hold;

    @Option(
            names = "--send",
            paramLabel = "TEXT",
            description = "WebSockets: a message to send over each again and again. Where the server answers each with"
                    + " one message, and sends none unasked, their latency is reported as reply.")
    private @Nullable String message;

    @Option(
            names = "--send-every",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "WebSockets: time from one --send to the next (default: 1s).")
    private @Nullable Duration sendEvery;

    /**
     * How long a stream is held.
     *
     * @param length null: until the run ends
     */
    record Hold(@Nullable Duration length) {}

    static final class HoldConverter implements ITypeConverter<Hold> {
        @Override
        public Hold convert(String text) {
            return new Hold(text.equals(THE_RUN) ? null : new DurationConverter().convert(text));
        }
    }

    /** The streams to be held; null when answers have an end. */
    @Nullable
    Streams streams(boolean isWebSocket) {
        if (hold == null && !isWebSocket && message == null && sendEvery == null) {
            return null;
        }
        if (hold == null && !isWebSocket) {
            throw new IllegalArgumentException("--send needs a WebSocket; give a ws:// or wss:// address");
        }
        Duration every = message != null && sendEvery == null ? Duration.ofSeconds(1) : sendEvery;
        return new Streams(isWebSocket, hold == null ? null : hold.length(), message, every);
    }

    /** As many clients as streams are to be open at once in {@code plan}, as far as that is known. */
    static int clients(LoadPlan plan) {
        Streams streams = plan.streams();
        if (streams == null || !(plan.pacing() instanceof Pacing.Rates(List<Pacing.Rates.Step> steps))) {
            return USUAL_CLIENTS;
        }
        Duration hold = streams.hold();
        Duration duration = plan.duration();
        Duration longest = hold == null || (duration != null && duration.compareTo(hold) < 0) ? duration : hold;
        double most =
                steps.stream().mapToDouble(Pacing.Rates.Step::perSecond).max().orElse(0);
        double open = longest == null ? 0 : most * longest.toNanos() / NANOS_PER_SECOND;
        return (int) Math.min(LoadPlan.MAX_CLIENTS, USUAL_CLIENTS + Math.ceil(open));
    }
}
