package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.NodeConfig;
import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.config.HostPort;
import dev.retier.undertow.UndertowNode;
import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plain Undertow programs with the library beside agents as they are: orders, drains, proofs, all under load. */
@Timeout(180)
class UndertowProgramsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> ALL = List.of("node-1", "node-2", "node-3", "node-4");
    private static final int CLIENTS = 4;
    private static final String SETTINGS = """
            timing: {sensitivity: 50ms, publish-interval: 50ms, read-deadline: 250ms, staleness: 3s, lease: 2s}
            move: {drain-deadline: 5s, upstream-deadline: 9s, switch-deadline: 9s, prove-deadline: 9s, slow-start: 0s}
            """;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @Test
    void shouldMoveAndLoseNoRequest_whenServersArePlainUndertowPrograms(@TempDir Path folder) throws Exception {
        try (OperatedCell cell = OperatedCell.serve(folder, SETTINGS, UndertowProgramsIT::program);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            cell.startAgents(ALL);
            await().atMost(PATIENCE).until(cell::isReady);
            HostPort proxy = cell.config("node-1").node().server().address();
            List<? extends Future<?>> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> threads.submit(() -> load(proxy)))
                    .toList();

            assertThat(retier(cell, "pause").code())
                    .as("only orders move nodes")
                    .isZero();
            try {
                for (String order : List.of("node-3 --to shop/proxy", "node-3 --to shop/app", "node-2 --to shop/app")) {
                    CommandRun run = order(cell, "move " + order + " --force");
                    assertThat(run.code())
                            .as("%s: %s %s", order, run.out(), run.err())
                            .isZero();
                    int goal = answered.get() + 50;
                    await().atMost(PATIENCE).until(() -> answered.get() >= goal);
                }
            } finally {
                stopped.set(true);
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        assertThat(failures).isEmpty();
    }

    private static AutoCloseable program(NodeConfig node) {
        UndertowNode role =
                UndertowNode.builder(node.name(), node.server().roleFile()).start();
        HostPort address = node.server().address();
        HostPort admin = node.server().admin();
        Undertow server = Undertow.builder()
                .addHttpListener(address.port(), address.host(), role.wrap(new BlockingHandler(exchange -> {
                    long bytes = exchange.getInputStream().transferTo(OutputStream.nullOutputStream());
                    exchange.getResponseSender().send(node.name() + " got " + bytes);
                })))
                .addHttpListener(admin.port(), admin.host(), role.admin())
                .build();
        server.start();
        return () -> {
            role.close();
            server.stop();
        };
    }

    /** A lock that another agent holds for a moment is no matter of this test. */
    private static CommandRun order(OperatedCell cell, String command) {
        CommandRun[] last = new CommandRun[1];
        await().atMost(PATIENCE).until(() -> {
            last[0] = CommandRun.of((command + " --config " + cell.file()).split(" "));
            return last[0].code() != ExitCode.NO_LOCK.code();
        });
        return last[0];
    }

    private static CommandRun retier(OperatedCell cell, String command) {
        return CommandRun.of((command + " --config " + cell.file()).split(" "));
    }

    private void load(HostPort proxy) {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + proxy + "/order"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[2_000]))
                    .build();
            while (!stopped.get()) {
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200 || !answer.body().endsWith(" got 2000")) {
                    failures.add(answer + " " + answer.body());
                }
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            failures.add(e.toString());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
