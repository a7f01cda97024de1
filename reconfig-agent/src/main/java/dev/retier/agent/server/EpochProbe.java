package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks on fresh connections by which file a server answers. Thread-safe. */
final class EpochProbe {
    static final String HEADER = "x-retier-epoch";
    /** Old workers of nginx and HAProxy take some more connections after the first answer of a new one. */
    private static final int PROOFS_IN_A_ROW = 5;

    private static final long PAUSE_NANOS = 15_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final HostPort address;
    private final String path;
    private final String host;
    private final Runnable onRequest;
    /** What an answer without a mark says. */
    private final Function<HttpFetch.Answer, Optional<Mark>> unmarked;

    EpochProbe(HostPort address, String path, Runnable onRequest) {
        this(address, path, address.toString(), onRequest, _ -> Optional.empty());
    }

    private EpochProbe(
            HostPort address,
            String path,
            String host,
            Runnable onRequest,
            Function<HttpFetch.Answer, Optional<Mark>> unmarked) {
        this.address = address;
        this.path = path;
        this.host = host;
        this.onRequest = onRequest;
        this.unmarked = unmarked;
    }

    /** Of a server that need not say it: one that answers well at its prove path is taken to run the file on disk. */
    static EpochProbe ofSilent(ServerConfig server, String host, Supplier<Optional<Mark>> onDisk) {
        return new EpochProbe(
                server.address(),
                server.provePath(),
                host,
                () -> {},
                answer -> server.kind().isProof(answer.status()) ? onDisk.get() : Optional.empty());
    }

    /** The mark of the file by which one fresh connection is answered; empty if there is no answer, or no mark. */
    Optional<Mark> ask() {
        onRequest.run();
        try (HttpFetch fetch = new HttpFetch(address, host)) {
            HttpFetch.Answer answer = fetch.probe(path, TIMEOUT);
            Optional<Mark> shown = Mark.ofHeader(answer.headers().get(HEADER));
            return shown.isPresent() ? shown : unmarked.apply(answer);
        } catch (IOException e) {
            // Refused or closed, as between two generations of workers; the caller asks again or gives up.
            return Optional.empty();
        }
    }

    /**
     * Whether the server answers by that file only, before the deadline.
     *
     * @param isLost tells that there is nobody left who could
     */
    boolean isProven(Mark mark, Duration deadline, BooleanSupplier isLost) {
        long endNanos = System.nanoTime() + deadline.toNanos();
        int proofs = 0;
        while (proofs < PROOFS_IN_A_ROW && System.nanoTime() - endNanos < 0 && !isLost.getAsBoolean()) {
            proofs = ask().filter(mark::equals).isPresent() ? proofs + 1 : 0;
            if (proofs < PROOFS_IN_A_ROW) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        return proofs >= PROOFS_IN_A_ROW;
    }
}
