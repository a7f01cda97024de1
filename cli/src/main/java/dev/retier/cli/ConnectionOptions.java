package dev.retier.cli;

import dev.retier.load.drive.LoadPlanBuilder;
import dev.retier.load.drive.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How requests are sent, and for how long. */
final class ConnectionOptions {
    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "48",
            description = "Connections, each with one request outstanding (default: ${DEFAULT-VALUE}).")
    private int clients;

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

    @Option(names = "--no-keep-alive", description = "A new connection for each request.")
    private boolean closing;

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

    @Option(names = "--tls-ca", paramLabel = "FILE", description = "TLS: trust the certificates in this file (PEM).")
    private @Nullable Path trusted;

    @Option(names = "--tls-name", paramLabel = "NAME", description = "TLS: ask for this server (default: the host).")
    private @Nullable String serverName;

    @Option(names = "--insecure", description = "TLS: accept any certificate.")
    private boolean insecure;

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
        if (host != null) {
            plan.withHost(host);
        }
        if (trusted != null || serverName != null || insecure) {
            TlsOptions tls = new TlsOptions(serverName, trusted, null, insecure);
            plan.withTls(tls);
        }
        return plan.withClients(clients)
                .withKeepAlive(!closing)
                .withConditional(conditional)
                .withRetries(retries)
                .withRequestTimeout(timeout)
                .withMaxQueued(maxQueued)
                .withInterval(interval)
                .withEventLoops(eventLoops);
    }
}
