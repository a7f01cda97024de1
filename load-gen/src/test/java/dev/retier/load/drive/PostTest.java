package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.text.CsvFormat;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that change something, from a trace file to a real server and back. */
@Timeout(30)
class PostTest {
    private final Queue<String> got = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    @Test
    void shouldSendBodies_whenAllMethodsAreAskedFor() throws IOException, InterruptedException {
        Path csv = csv(IntStream.range(0, 40).mapToObj(PostTest::event));
        Undertow server = start();
        try {
            TargetSource targets = TargetSource.fixed(List.of(target(server)));
            TraceFiles all = TraceFiles.of(List.of(csv), ReadOptions.AS_LOGGED.withMethods(ReplayedMethods.ALL));
            LoadResult result = LoadRun.start(
                            LoadPlan.of("shop", all, targets).withClients(3).build())
                    .await();

            assertThat(result.totals().answered()).isEqualTo(40);
            assertThat(got)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40)
                            .mapToObj(i -> switch (i % 4) {
                                case 0 -> "GET /" + i + " null 0";
                                case 1 -> "POST /" + i + " text/plain; charset=utf-8 " + i * 500;
                                case 2 -> "PUT /" + i + " null 0";
                                default -> "DELETE /" + i + " null 0";
                            })
                            .toList());
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldSendSafeMethodsAlone_whenNothingIsSaid() throws IOException, InterruptedException {
        Path csv = csv(IntStream.range(0, 40).mapToObj(PostTest::event));
        try (TestServer server = TestServer.start()) {
            TraceFiles safe = TraceFiles.of(List.of(csv), ReadOptions.AS_LOGGED);
            LoadResult result = LoadRun.start(LoadPlan.of("shop", safe, TargetSource.fixed(List.of(server.target())))
                            .build())
                    .await();

            assertThat(result.totals().answered()).isEqualTo(10);
            assertThat(result.reading().notReplayed()).isEqualTo(30);
        }
    }

    @Test
    void shouldNotSendAPostTwice_whenItsConnectionBreaks() throws IOException, InterruptedException {
        Path csv = csv(Stream.of(event(1), event(2)));
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> false);
            TraceFiles all = TraceFiles.of(List.of(csv), ReadOptions.AS_LOGGED.withMethods(ReplayedMethods.ALL));
            LoadResult result = LoadRun.start(LoadPlan.of("shop", all, TargetSource.fixed(List.of(server.target())))
                            .withRetries(2)
                            .withClients(1)
                            .build())
                    .await();

            assertThat(result.totals().failures()).isEqualTo(Map.of(FailureKind.RESET, 2L));
            assertThat(result.retries()).isEqualTo(2);
            assertThat(server.requests()).isEqualTo(1 + 3);
        }
    }

    private Undertow start() {
        Undertow server = Undertow.builder()
                .addHttpListener(
                        0,
                        "127.0.0.1",
                        exchange -> exchange.getRequestReceiver().receiveFullBytes(this::answer))
                .setIoThreads(1)
                .build();
        server.start();
        return server;
    }

    private void answer(HttpServerExchange exchange, byte[] body) {
        String type = exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
        got.add(exchange.getRequestMethod() + " " + exchange.getRequestPath() + " " + type + " " + body.length);
        exchange.getResponseSender().send("ok");
    }

    private static Target target(Undertow server) {
        return new Target(
                "127.0.0.1",
                ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort());
    }

    private Path csv(Stream<TraceEvent> events) throws IOException {
        Stream<String> lines = Stream.concat(Stream.of(CsvFormat.HEADING), events.map(CsvFormat::line));
        return Files.write(folder.resolve("trace.csv"), lines.toList());
    }

    private static TraceEvent event(int i) {
        RequestMethod method = List.of(RequestMethod.GET, RequestMethod.POST, RequestMethod.PUT, RequestMethod.DELETE)
                .get(i % 4);
        TraceEvent event = new TraceEvent(i, i, "/" + i, RequestClass.DYNAMIC, -1, method, false, 0, null);
        return method == RequestMethod.POST
                ? event.withBody(new RequestBody("text/plain; charset=utf-8", new byte[i * 500]))
                : event;
    }
}
