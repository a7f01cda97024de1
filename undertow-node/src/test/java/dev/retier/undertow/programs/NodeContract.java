package dev.retier.undertow.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.KeptConnection;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every Undertow program is as a node, whatever its kind. */
abstract class NodeContract {
    private static final int CLIENTS = 8;
    private static final int MOVES = 10; // two role files each
    private static final int UPLOAD_BYTES = 5 << 20;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<List<String>> proxies = new AtomicReference<>(List.of("a"));
    Cell cell;

    abstract Cell cell(Path folder);

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        cell = cell(folder);
        cell.start("a", "b", "c");
        cell.makeProxy("a", "b", "c");
    }

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldForwardAsProxyAndAnswerAsApp() {
        HttpResponse<String> own = cell.get("b", "/hello");
        assertThat(own.body()).isEqualTo("hello from b");
        assertThat(header(own, "X-Retier-Epoch")).isEqualTo("1");
        assertThat(header(own, "X-Retier-Node")).isEqualTo("b");

        HttpResponse<String> forwarded = cell.get("a", "/hello");
        assertThat(header(forwarded, "X-Retier-Node")).isEqualTo("a");
        assertThat(header(forwarded, "X-Retier-Epoch")).isEqualTo("2");
        assertThat(forwarded.body()).isEqualTo("hello from " + header(forwarded, "X-Retier-App"));
        assertThat(cell.get("a", "/nothing-here").statusCode()).isEqualTo(404);

        cell.makeProxy("b", "a");
        assertThat(cell.get("a", "/hello", "Via", "1.1 b (retier)").body())
                .as("what was forwarded once ends here, so that no loop can arise")
                .isEqualTo("hello from a");
    }

    @Test
    void shouldStreamUploadsAndAnswersOfUnknownLength() {
        for (String name : List.of("b", "a")) {
            BodyPublisher upload = BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(new byte[UPLOAD_BYTES]));
            assertThat(cell.post(name, "/length", upload).body()).isEqualTo("bytes " + UPLOAD_BYTES);
            assertThat(cell.get(name, "/lines").body()).isEqualTo(Program.LINE.repeat(Program.LINES));
        }
    }

    @Test
    void shouldFailNoRequest_whenANodeChangesSidesUnderLoad() throws Exception {
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < CLIENTS; client++) {
                clients.add(threads.submit(this::load));
            }
            for (int move = 0; move < MOVES; move++) {
                cell.makeProxy("a", "c");
                cell.makeProxy("b", "c");
                proxies.set(List.of("a", "b"));
                awaitMore(20);
                cell.makeApp("b");
                cell.makeProxy("a", "b", "c");
                proxies.set(List.of("a"));
                awaitMore(20);
            }
            stopped.set(true);
            for (Future<?> client : clients) {
                client.get();
            }
        }
        assertThat(failures).isEmpty();
        assertThat(answered.get()).isGreaterThan(MOVES * 40);
    }

    @Test
    void shouldTellWhatItsAgentReads() throws Exception {
        assertThat(cell.admin("a", "/status").body())
                .contains("\"role\":\"proxy\"", "\"site\":\"shop\"", "\"applied_epoch\":2", "\"last_refusal\":null")
                .contains("\"node\":\"b\"", "\"node\":\"c\"", "\"cache\":{", "\"capacity_units_per_second\":")
                .endsWith("}\n");
        Gate.shut();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> held = threads.submit(() -> cell.get("a", "/wait"));
            await().until(() ->
                    cell.node("b").status().inFlight() + cell.node("c").status().inFlight() == 1);
            assertThat(cell.node("a").status().inFlight()).isEqualTo(1);
            assertThat(cell.node("a").status().upstreams())
                    .extracting(app -> app.inFlight())
                    .containsExactlyInAnyOrder(0, 1);
            double before = cell.node("a").status().uptimeSeconds();
            assertThat(cell.node("a").status().uptimeSeconds()).isGreaterThan(before);
            Gate.open();
            assertThat(held.get().body()).startsWith("waited on ");
        }
        await().until(() -> cell.node("a").status().inFlight() == 0);
        assertThat(cell.node("a").status().requestsTotal()).containsEntry("all", 1L);
        assertThat(cell.node("a").status().lastClientRequestAgeSeconds()).isNotNull();
        assertThat(cell.node("b").status().lastClientRequestAgeSeconds()).isNull();
        assertThat(cell.admin("a", "/readyz").body()).isEqualTo("ok\n");
    }

    @Test
    void shouldLetEachKeptConnectionGoOnce_whenItsTierGrows() {
        List<KeptConnection> kept = KeptConnection.open(cell.port("a"), 20);
        try {
            String target = cell.path("/hello");
            assertThat(KeptConnection.letGo(kept, target)).isZero();
            cell.makeProxyWith("a", "\"let-go\": {\"round\": 7, \"percent\": 100}, ", "b", "c");
            assertThat(KeptConnection.letGo(kept, target)).isEqualTo(20);
            kept.addAll(KeptConnection.open(cell.port("a"), 1));
            assertThat(KeptConnection.letGo(kept, target))
                    .as("one that was made in the round is not asked")
                    .isZero();
            assertThat(cell.node("a").status().connectionsLetGoTotal()).isEqualTo(20);
        } finally {
            kept.forEach(KeptConnection::close);
        }
    }

    @Test
    void shouldAnswerWhatItHolds_whenClosed() throws Exception {
        Gate.shut();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> held = threads.submit(() -> cell.get("b", "/wait"));
            await().until(() -> cell.node("b").status().inFlight() == 1);
            Future<?> closing = threads.submit(() -> cell.node("b").close());
            await().until(() -> cell.node("b").status().closing());
            assertThat(cell.admin("b", "/readyz").statusCode()).isEqualTo(503);
            List<KeptConnection> late = KeptConnection.open(cell.port("b"), 1);
            assertThat(KeptConnection.letGo(late, cell.path("/hello"))).isEqualTo(1);
            assertThat(closing.isDone()).isFalse();
            Gate.open();
            assertThat(held.get().body()).isEqualTo("waited on b");
            closing.get();
        }
    }

    private void load() {
        for (int request = 0; !stopped.get(); request++) {
            List<String> current = proxies.get();
            String name = current.get(request % current.size());
            try {
                HttpResponse<String> answer = request % 2 == 0
                        ? cell.get(name, "/hello")
                        : cell.post(name, "/length", BodyPublishers.ofByteArray(new byte[request % 5_000]));
                if (answer.statusCode() != 200) {
                    failures.add(answer + " " + answer.body());
                }
            } catch (RuntimeException e) {
                failures.add(e.toString());
            }
            answered.incrementAndGet();
        }
    }

    private void awaitMore(int requests) {
        int goal = answered.get() + requests;
        await().pollInterval(Cell.OFTEN).until(() -> answered.get() >= goal);
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
