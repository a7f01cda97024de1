package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.shape.LoopedTrace;
import dev.retier.traces.text.CommonLogFormat;
import dev.retier.traces.text.LineEvents;
import dev.retier.traces.text.LogMapping;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HTTP/1.1 as Apache httpd, nginx and HAProxy speak it: lengths, chunks, no bodies, ends of connections, 100 Continue,
 * what they say to requests they do not like.
 */
@Timeout(60)
class RealServersIT {
    private static final int FILE_BYTES = 100_000;
    private static final int TIMES = 20;

    /** One line per kind of request, each with the count of bytes that its answer has. */
    private static final List<String> MIX =
            List.of(line("GET /file", 200), line("HEAD /file", 200), line("GET /file", 304), line("GET /empty", 200));

    @TempDir
    private Path folder;

    @Test
    void shouldCountEveryAnswer_whenNginxServes() throws IOException, InterruptedException {
        try (RealServer nginx = RealServer.nginx(folder)) {
            LoadResult result = run(plan(nginx, MIX).withConditional(true));

            assertThat(result.totals().failures()).isEmpty();
            assertThat(result.totals().answered()).isEqualTo(4L * TIMES);
            assertThat(result.totals().bodyBytes()).isEqualTo((long) TIMES * FILE_BYTES);
        }
    }

    @Test
    void shouldCountEveryAnswer_whenHttpdServes() throws IOException, InterruptedException {
        try (RealServer httpd = RealServer.httpd(folder)) {
            LoadResult result = run(plan(httpd, MIX).withConditional(true));

            assertThat(result.totals().failures()).isEmpty();
            assertThat(result.totals().answered()).isEqualTo(4L * TIMES);
            assertThat(result.totals().bodyBytes()).isEqualTo((long) TIMES * FILE_BYTES);
        }
    }

    @Test
    void shouldFollowChunksAndClosings_whenHttpdComputesAnswers() throws IOException, InterruptedException {
        try (RealServer httpd = RealServer.httpd(folder)) {
            LoadResult chunked = run(plan(httpd, List.of(line("GET /chunked", 200), line("HEAD /chunked", 200))));
            LoadResult closing = run(plan(httpd, List.of(line("GET /closing", 200), line("GET /file", 200))));
            LoadResult perRequest = run(plan(httpd, MIX).withConnections(Connections.NEW));

            assertThat(chunked.totals().answered()).isEqualTo(2L * TIMES);
            assertThat(chunked.totals().bodyBytes()).isEqualTo((long) TIMES * 2 * RealServer.CHUNK_BYTES);
            assertThat(closing.totals().answered()).isEqualTo(2L * TIMES);
            assertThat(perRequest.totals().answered()).isEqualTo(4L * TIMES);
        }
    }

    @Test
    void shouldTellRefusalsApart_whenServersDislikeRequests() throws IOException, InterruptedException {
        List<String> disliked = List.of(line("GET /missing", 404), line("GET /" + "x".repeat(8000), 414));
        try (RealServer nginx = RealServer.nginx(folder);
                RealServer httpd = RealServer.httpd(folder)) {
            for (RealServer server : List.of(nginx, httpd)) {
                LoadResult result = run(plan(server, disliked));

                assertThat(result.totals().failures()).isEqualTo(Map.of(FailureKind.STATUS_4XX, 2L * TIMES));
            }
        }
    }

    @Test
    void shouldCountWhatComesThrough_whenHaproxyBalancesOverBoth() throws IOException, InterruptedException {
        try (RealServer nginx = RealServer.nginx(folder);
                RealServer httpd = RealServer.httpd(folder);
                RealServer haproxy = RealServer.haproxy(folder, List.of(nginx.port(), httpd.port()))) {
            LoadResult good = run(plan(haproxy, MIX).withConditional(true));
            nginx.stop();
            httpd.stop();
            LoadResult bad = run(plan(haproxy, MIX));

            assertThat(good.totals().answered()).isEqualTo(4L * TIMES);
            assertThat(good.totals().bodyBytes()).isEqualTo((long) TIMES * FILE_BYTES);
            assertThat(bad.totals().failures()).containsOnlyKeys(FailureKind.STATUS_5XX);
            assertThat(bad.totals().failed()).isEqualTo(4L * TIMES);
        }
    }

    @Test
    void shouldLoseNoRequest_whenTheServerDiesUnderLoad() throws IOException, InterruptedException {
        try (RealServer nginx = RealServer.nginx(folder)) {
            Trace endless = trace(List.of(line("GET /file", 200)), 1_000_000);
            LoadRun run = LoadRun.start(LoadPlan.of("shop", endless, TargetSource.fixed(List.of(nginx.target())))
                    .withClients(20)
                    .build());
            Conditions.await(() -> run.snapshot().totals().answered() > 200);
            nginx.kill();
            Conditions.await(() -> run.snapshot().totals().failed() > 20);
            run.stop();
            LoadResult result = run.await();

            assertThat(result.totals().sent())
                    .isEqualTo(result.totals().answered()
                            + result.totals().failed()
                            + result.totals().dropped());
            assertThat(result.totals().failures().keySet())
                    .isSubsetOf(
                            FailureKind.CONNECT_REFUSED,
                            FailureKind.CONNECT_FAILED,
                            FailureKind.RESET,
                            FailureKind.TRUNCATED_BODY);
            assertThat(result.health().warnings()).noneMatch(warning -> warning.contains("report this"));
        }
    }

    private LoadPlanBuilder plan(RealServer server, List<String> lines) {
        return LoadPlan.of("shop", trace(lines, TIMES), TargetSource.fixed(List.of(server.target())))
                .withClients(5);
    }

    private static LoadResult run(LoadPlanBuilder plan) throws InterruptedException {
        LoadResult result = LoadRun.start(plan.build()).await();
        assertThat(result.reading().bad()).isZero();
        assertThat(result.totals().inFlight()).isZero();
        return result;
    }

    private static String line(String request, int status) {
        return "c - - [01/Aug/1995:00:00:01 -0400] \"" + request + " HTTP/1.1\" " + status + " 5\n";
    }

    private static Trace trace(List<String> lines, int times) {
        byte[] one = String.join("", lines).getBytes(StandardCharsets.US_ASCII);
        return new LoopedTrace(
                new Trace() {
                    @Override
                    public String name() {
                        return "mix";
                    }

                    @Override
                    public EventStream open() {
                        return new LineEvents(
                                "mix",
                                new ByteArrayInputStream(one),
                                new CommonLogFormat(LogMapping.AS_LOGGED),
                                ReplayedMethods.SAFE);
                    }

                    @Override
                    public OptionalLong eventCount() {
                        return OptionalLong.of(lines.size());
                    }
                },
                times);
    }

    /** What all servers serve. */
    static void content(Path root) throws IOException {
        Files.createDirectories(root);
        Files.writeString(root.resolve("file"), "x".repeat(FILE_BYTES));
        Files.writeString(root.resolve("empty"), "");
    }
}
