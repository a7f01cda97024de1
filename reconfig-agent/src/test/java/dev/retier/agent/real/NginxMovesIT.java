package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.HttpFetch;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Four nginx nodes with PHP-FPM behind HAProxy, moved between the tiers while clients look at what they get. */
class NginxMovesIT {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent.real");
    /** {@code -Dmoves=N} for a longer run; {@code -Dretier.log=INFO} shows the phases of each. */
    private static final int MOVES = Integer.getInteger("moves", 4);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @TempDir
    private Path folder = Path.of("");

    /** Clients that ask each on a connection of its own, and look at what they get. */
    private static final class Clients implements AutoCloseable {
        private static final String OF_PHP =
                "this is node-[1-4] by PHP: (GET|POST) %s https= proto= host=\\S+ bytes=%d";

        private final HostPort edge;
        private final AtomicLong done = new AtomicLong();
        private final List<String> failures = new CopyOnWriteArrayList<>();
        private final List<Thread> threads;
        private volatile boolean isStopping;

        Clients(HostPort edge, int count) {
            this.edge = edge;
            this.threads = IntStream.range(0, count)
                    .mapToObj(number -> Thread.ofPlatform().daemon().start(() -> run(number)))
                    .toList();
        }

        private void run(int first) {
            for (int turn = first; !isStopping; turn++) {
                try {
                    check(turn % 3);
                    done.incrementAndGet();
                } catch (IOException e) {
                    failures.add(e.toString());
                }
            }
        }

        private void check(int kind) throws IOException {
            try (HttpFetch fetch = new HttpFetch(edge, "shop.example")) {
                HttpFetch.Answer answer = switch (kind) {
                    case 0 -> fetch.get("/dynamic/a%20b?c=%26", TIMEOUT);
                    case 1 -> fetch.postForm("/app.php", "x".repeat(10_000), TIMEOUT);
                    default -> fetch.get("/static/retier-proof", TIMEOUT);
                };
                String expected = switch (kind) {
                    case 0 -> OF_PHP.formatted("/dynamic/a%20b\\?c=%26", 0);
                    case 1 -> OF_PHP.formatted("/app.php", 10_000);
                    default -> "proof of this is node-[1-4]";
                };
                if (answer.status() != 200 || !answer.body().matches(expected)) {
                    throw new IOException(answer.status() + " " + answer.body());
                }
            }
        }

        @Override
        public void close() {
            isStopping = true;
            for (Thread thread : threads) {
                try {
                    thread.join(TIMEOUT);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void shouldLoseNoRequest_whenNodesMoveUnderLoad() throws Exception {
        List<RealInstance> nodes = new ArrayList<>();
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        try (PhpFpm php = PhpFpm.start(folder.resolve("php"))) {
            for (int id = 1; id <= 4; id++) {
                nodes.add(NginxPhpNode.of(folder.resolve("node-" + id), php, Ports.free(), ""));
            }
            movesLosingNothing(nodes, edge);
        }
    }

    private void movesLosingNothing(List<RealInstance> nodes, RealInstance edge) {
        try (RealCell cell = RealCell.start(folder, nodes, edge, 2);
                Clients clients = new Clients(cell.edgeAddress(), 4)) {
            await().atMost(RealNodes.PATIENCE).until(() -> clients.done.get() > 100);
            for (int i = 0; i < MOVES; i++) {
                int id = i % 4 < 2 ? 2 : 3;
                Role to = (i % 2 == 0) == (id == 2) ? APP : PROXY;
                MoveEvent end = cell.move(id, to);
                assertThat(end.phase()).as("%s", end).isEqualTo(MovePhase.ACTIVE);
                LOG.info("node-{} to {}: {}", id, to, cell.millis(end.epoch()));
                cell.awaitSettled();
                long before = clients.done.get();
                await().atMost(RealNodes.PATIENCE).until(() -> clients.done.get() > before + 50);
            }
            LOG.info(
                    "{} moves: {} requests, {} lost {}",
                    MOVES,
                    clients.done,
                    clients.failures.size(),
                    clients.failures);
            assertThat(clients.failures).isEmpty();
        }
    }
}
