package dev.retier.cli.load;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.load.drive.Connections;
import dev.retier.load.drive.LoadPlanBuilder;
import dev.retier.load.drive.TlsOptions;
import dev.retier.load.http.HeaderField;
import dev.retier.load.measure.GoodStatuses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How requests are sent, and for how long. */
@HelpHeading("How, and for how long")
public final class ConnectionOptions {
    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            description = "Connections, each with one request outstanding, or one stream (default: 48; with --hold and"
                    + " --rate as many more as streams will be open at once).")
    private @Nullable Integer clients;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "End after this time, as in 30s (default: when the trace ends). Made traces that end sooner"
                    + " are repeated.")
    private @Nullable Duration duration;

    @Option(names = "--loops", paramLabel = "N", description = "How often to go through the trace (default: once).")
    private @Nullable Integer loops;

    @Option(names = "--host", paramLabel = "NAME", description = "Host field of all requests (default: the target).")
    private @Nullable String host;

    @Option(
            names = "--connections",
            description =
                    "What becomes of connections: spread (kept; as targets come and go, clients move so that all have"
                            + " their share), stay (kept where they are), new (one for each request) (default:"
                            + " ${DEFAULT-VALUE}).")
    private Connections connections = Connections.SPREAD;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "FIELD",
            converter = HeaderConverter.class,
            description = "A field of every request's head, as in 'Accept-Encoding: gzip'; repeat it for several.")
    private List<HeaderField> headers = List.of();

    @Option(
            names = "--good",
            paramLabel = "STATUSES",
            converter = StatusesConverter.class,
            description = "Statuses that count as good, as in 200-299,304,404 (default: all below 400).")
    private GoodStatuses good = GoodStatuses.USUAL;

    @Option(
            names = "--conditional",
            description = "Send what was answered 304 in the trace as a conditional request, to be answered 304 again.")
    private boolean conditional;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "0",
            description = "How often to try again when a connection fails; counted (default: ${DEFAULT-VALUE}).")
    private int retries;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Longest wait for an answer (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(10);

    @Option(
            names = "--stall-limit",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "60s",
            description = "End when requests have been under way for so long with no answer to any; the time in which"
                    + " none is does not count (default: ${DEFAULT-VALUE}).")
    private Duration stallLimit = Duration.ofSeconds(60);

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "When the run ends by --duration or a signal: how long requests under way may still take"
                    + " (default: 2s, or as long as --answer-within).")
    private @Nullable Duration grace;

    @Option(
            names = "--target-wait",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Longest wait for the first list of --agent or --targets-file (default: ${DEFAULT-VALUE}).")
    private Duration targetWait = Duration.ofSeconds(10);

    @Option(
            names = "--max-queued",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Open loop: due requests that may wait for a free connection; more are dropped (default:"
                    + " ${DEFAULT-VALUE}).")
    private int maxQueued;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "250ms",
            description = "Length of the intervals in the result (default: ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofMillis(250);

    @Option(
            names = "--event-loops",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads that send (default: ${DEFAULT-VALUE}; more when the result says it was busy).")
    private int eventLoops;

    @Option(
            names = {"--cacert", "--tls-ca"},
            paramLabel = "FILE",
            description = "TLS: trust the certificates in this file (PEM).")
    private @Nullable Path trusted;

    @Option(names = "--tls-name", paramLabel = "NAME", description = "TLS: ask for this server (default: the host).")
    private @Nullable String serverName;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "TLS: show this certificate to servers that ask (PEM); with --key.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "TLS: its key (PEM, PKCS #8, no password).")
    private @Nullable Path key;

    @Option(names = "--insecure", description = "TLS: accept any certificate.")
    private boolean insecure;

    static final class HeaderConverter implements ITypeConverter<HeaderField> {
        @Override
        public HeaderField convert(String text) {
            return converted(text, HeaderField::parse);
        }
    }

    static final class StatusesConverter implements ITypeConverter<GoodStatuses> {
        @Override
        public GoodStatuses convert(String text) {
            return converted(text, GoodStatuses::parse);
        }
    }

    private static <T> T converted(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** How many clients were asked for; null when that was left open. */
    @Nullable
    Integer clients() {
        return clients;
    }

    /** When the run ends at the latest; null when that was left open. */
    @Nullable
    Duration duration() {
        return duration;
    }

    /** {@code plan} as wanted; {@code repeats} says that the trace is made and may go on as long as wanted. */
    LoadPlanBuilder apply(LoadPlanBuilder plan, boolean repeats) {
        if (duration != null) {
            plan.withDuration(duration);
        }
        if (loops != null) {
            plan.withLoops(loops);
        } else if (duration != null && repeats) {
            plan.withLoops(Integer.MAX_VALUE);
        }
        if (grace != null) {
            plan.withStopGrace(grace);
        }
        if (host != null) {
            plan.withHost(host);
        }
        if (trusted != null || serverName != null || certificate != null || key != null || insecure) {
            plan.withTls(new TlsOptions(serverName, trusted, null, certificate, key, insecure));
        }
        if (clients != null) {
            plan.withClients(clients);
        }
        return plan.withConnections(connections)
                .withHeaders(headers)
                .withGood(good)
                .withConditional(conditional)
                .withRetries(retries)
                .withRequestTimeout(timeout)
                .withStallLimit(stallLimit)
                .withTargetWait(targetWait)
                .withMaxQueued(maxQueued)
                .withInterval(interval)
                .withEventLoops(eventLoops);
    }
}
