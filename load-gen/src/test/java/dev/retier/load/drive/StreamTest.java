package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.drive.RecordedRun.Line;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.measure.StreamInterval;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.text.CsvFormat;
import dev.retier.traces.text.LineEvents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run says about its streams against the lines of its requests, and against what the server sent. */
@Timeout(60)
class StreamTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private KnownStreams server;

    /** Requests for {@code /0/what}, {@code /1/what}, ..., where {@code what} takes turns. */
    private record Numbered(int count, List<String> turns) implements Trace {
        @Override
        public String name() {
            return "numbered";
        }

        @Override
        public EventStream open() {
            String text = IntStream.range(0, count)
                    .mapToObj(i -> "0,0,GET,STATIC,-1,0,0,/" + i + "/" + turns.get(i % turns.size()) + "\n")
                    .collect(Collectors.joining());
            return new LineEvents(
                    name(),
                    new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
                    new CsvFormat(),
                    ReplayedMethods.SAFE);
        }

        @Override
        public OptionalLong eventCount() {
            return OptionalLong.of(count);
        }
    }

    @BeforeEach
    void serve() {
        server = KnownStreams.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldSayWhatTheLinesSay_whenAnOpenLoopOpensStreamsOfAllKinds() throws InterruptedException {
        RecordedRun run = RecordedRun.of(
                plan(60, "endless", "ends", "cut", "missing", "bytes")
                        .withPacing(Pacing.Rates.constant(60))
                        .withClients(60)
                        .withStreams(Streams.events(Duration.ofMillis(600)))
                        .build(),
                folder);

        check(run);
        assertThat(run.lines()).hasSize(60);
        assertThat(run.result().totals().failures())
                .isEqualTo(Map.of(FailureKind.STREAM_ENDED, 24L, FailureKind.STATUS_4XX, 12L));
        assertThat(run.result().hasDueTimes()).isTrue();
        for (Line line : run.lines()) {
            String as = line.toString();
            switch (line.url().substring(line.url().lastIndexOf('/') + 1)) {
                case "endless" -> {
                    assertThat(line.isGood()).as(as).isTrue();
                    assertThat(line.end() - line.opened()).as(as).isGreaterThanOrEqualTo(600 * MS);
                    assertThat(line.events()).as(as).isBetween(server.sent(line.url()) - 3L, (long)
                            server.sent(line.url()));
                    assertThat(line.first() - line.sent())
                            .as(as)
                            .isGreaterThanOrEqualTo(KnownStreams.EVERY_MILLIS * MS);
                }
                case "bytes" -> {
                    assertThat(line.isGood()).as(as).isTrue();
                    assertThat(line.events()).as(as).isZero();
                    assertThat(line.first()).as(as).isGreaterThanOrEqualTo(line.opened());
                }
                case "missing" -> assertThat(line.isStream()).as(as).isFalse();
                default -> {
                    assertThat(line.outcome()).as(as).isEqualTo("STREAM_ENDED");
                    assertThat(line.events()).as(as).isEqualTo(KnownStreams.EVENTS_BEFORE_THE_END);
                }
            }
        }
    }

    @Test
    void shouldHoldAllUntilTheEnd_whenTheyAreHeldForTheRun() throws InterruptedException {
        RecordedRun run = RecordedRun.of(
                plan(1000, "endless")
                        .withClients(20)
                        .withDuration(Duration.ofSeconds(4))
                        .withRequestTimeout(Duration.ofSeconds(3))
                        .withStallLimit(Duration.ofSeconds(3))
                        .withStreams(Streams.events(null))
                        .build(),
                folder);

        check(run);
        StreamFigures streams = streams(run);
        assertThat(run.lines()).hasSize(20).allMatch(Line::isGood);
        assertThat(streams.mostOpen()).isEqualTo(20);
        assertThat(run.result().latency().count()).isEqualTo(20);
        assertThat(run.result().latency().maxNanos()).isLessThan(3000 * MS);
        assertThat(run.result().elapsedMillis()).isBetween(4000.0, 6000.0);
    }

    @Test
    void shouldSayThatClientsWereTooFew_whenStreamsWaitForOne() throws InterruptedException {
        LoadResult result = LoadRun.start(plan(10, "endless")
                        .withPacing(Pacing.Rates.constant(100))
                        .withClients(2)
                        .withStreams(Streams.events(Duration.ofMillis(150)))
                        .build())
                .await();

        assertThat(result.totals().answered()).isEqualTo(10);
        assertThat(result.health().warnings())
                .anyMatch(warning -> warning.contains("streams waited, as all 2 clients"));
        assertThat(result.latency().maxNanos()).isGreaterThan(400 * MS);
    }

    @Test
    void shouldCountMessagesAndAnswerPings_whenAServerChats() throws InterruptedException {
        RecordedRun run = webSockets(Streams.webSockets(Duration.ofMillis(500)), "chats");

        check(run);
        StreamFigures streams = streams(run);
        long sent =
                run.lines().stream().mapToLong(line -> server.sent(line.url())).sum();
        assertThat(run.result().totals().answered()).isEqualTo(10);
        assertThat(streams.events()).isBetween(sent - 20, sent).isGreaterThan(50);
        assertThat(streams.texts()).isBetween(streams.events() / 2, streams.events());
        assertThat(streams.pings()).isBetween(streams.events() / 4, streams.events() / 2);
        assertThat(streams.reply()).isNull();
        assertThat(streams.closesUnanswered()).as("it never reads").isEqualTo(10);
    }

    @Test
    void shouldMeasureReplies_whenAServerAnswersEachMessage() throws InterruptedException {
        Streams echo = new Streams(true, Duration.ofMillis(500), "hello", Duration.ofMillis(50));
        RecordedRun run = webSockets(echo, "echo");

        check(run);
        StreamFigures streams = streams(run);
        assertThat(run.result().totals().answered()).isEqualTo(10);
        assertThat(streams.messagesSent()).isBetween(60L, 100L);
        assertThat(streams.unmatched()).isZero();
        assertThat(streams.closesUnanswered()).isZero();
        assertThat(Objects.requireNonNull(streams.reply()).count()).isEqualTo(streams.messagesSent());
        assertThat(streams.events()).isLessThanOrEqualTo(streams.messagesSent()).isGreaterThan(50);
    }

    @ParameterizedTest
    @CsvSource({"chats", "deaf"})
    void shouldMeasureNoReplies_whenAServerDoesNotAnswerEachMessage(String does) throws InterruptedException {
        Streams streams = new Streams(true, Duration.ofMillis(300), "hello", Duration.ofMillis(100));

        StreamFigures figures = streams(webSockets(streams, does));

        assertThat(figures.messagesSent()).isPositive();
        assertThat(figures.reply()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "forbidden, STATUS_4XX, false",
        "page, NOT_UPGRADED, false",
        "wrong-accept, NOT_UPGRADED, false",
        "half, STREAM_ENDED, true",
        "closes, STREAM_ENDED, true",
        "masked, BAD_FRAME, true",
        "oversized, BAD_FRAME, true",
    })
    void shouldTellFailuresApart_whenServersDoNotWantWebSockets(String does, FailureKind kind, boolean opened)
            throws InterruptedException {
        RecordedRun run = webSockets(Streams.webSockets(Duration.ofSeconds(5)), does);

        check(run);
        assertThat(run.result().totals().failures()).isEqualTo(Map.of(kind, 10L));
        assertThat(streams(run).opened()).isEqualTo(opened ? 10 : 0);
        assertThat(streams(run).events())
                .isEqualTo(does.equals("closes") ? 10L * KnownStreams.EVENTS_BEFORE_THE_END : 0);
        if (does.equals("wrong-accept")) {
            assertThat(run.result().causes().get(kind)).contains("Sec-WebSocket-Accept");
        }
    }

    private RecordedRun webSockets(Streams streams, String does) throws InterruptedException {
        return RecordedRun.of(
                plan(10, does).withClients(10).withStreams(streams).build(), folder);
    }

    private LoadPlanBuilder plan(int count, String... turns) {
        return LoadPlan.of("shop", new Numbered(count, List.of(turns)), TargetSource.fixed(List.of(server.target())));
    }

    private static StreamFigures streams(RecordedRun run) {
        return Objects.requireNonNull(run.result().streams());
    }

    private static void check(RecordedRun run) {
        LoadResult result = run.result();
        StreamFigures streams = streams(run);
        List<Line> lines = run.lines();
        List<Line> opened = lines.stream().filter(Line::isStream).toList();
        assertThat(result.totals().sent()).isEqualTo(lines.size());
        assertThat(result.totals().inFlight()).isZero();
        assertThat(result.totals().answered())
                .isEqualTo(lines.stream().filter(Line::isGood).count());
        assertThat(result.health().warnings()).noneMatch(warning -> warning.contains("report this"));
        assertThat(streams.opened()).isEqualTo(opened.size());
        assertThat(streams.ended())
                .isEqualTo(lines.stream()
                        .filter(line -> line.outcome().equals("STREAM_ENDED"))
                        .count());
        assertThat(streams.events())
                .isEqualTo(opened.stream().mapToLong(Line::events).sum());
        assertThat(streams.bytes())
                .isEqualTo(opened.stream().mapToLong(Line::bodyBytes).sum());
        assertThat(streams.first().count())
                .isEqualTo(opened.stream().filter(line -> line.first() >= 0).count());
        if (lines.stream().anyMatch(Line::isTimed)) {
            HonestyTest.checkLatencies("time to open", result.latency(), lines);
        }
        long intervalNanos = Math.round(result.intervalMillis() * MS);
        for (StreamInterval interval : streams.intervals()) {
            long end = interval.startMillis() * MS + intervalNanos;
            assertThat(interval.open())
                    .as(interval.toString())
                    .isEqualTo(opened.stream()
                            .filter(line -> line.opened() < end && line.end() >= end)
                            .count());
        }
        for (Line line : opened) {
            assertThat(line.latency()).isEqualTo(line.opened() - line.due());
            assertThat(line.end()).isGreaterThanOrEqualTo(line.opened());
        }
    }

    @Test
    void shouldCountEachStreamAlone_whenAClientHoldsOneAfterTheOther() throws InterruptedException {
        RecordedRun run = RecordedRun.of(
                plan(4, "endless")
                        .withClients(1)
                        .withStreams(Streams.events(Duration.ofMillis(200)))
                        .build(),
                folder);

        check(run);
        assertThat(run.lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line.events())
                        .isBetween(server.sent(line.url()) - 3L, (long) server.sent(line.url())));
        assertThat(streams(run).first().count()).isEqualTo(4);
    }

    @Test
    void shouldCountTheWaitOfEachMessage_whenAServerStopsAnswering() throws InterruptedException {
        Streams streams = new Streams(true, Duration.ofMillis(500), "hello", Duration.ofMillis(50));

        StreamFigures figures = streams(webSockets(streams, "tires"));

        Latency reply = Objects.requireNonNull(figures.reply());
        assertThat(figures.messagesSent()).isGreaterThan(10L * KnownStreams.EVENTS_BEFORE_THE_END);
        assertThat(reply.count()).isEqualTo(figures.messagesSent());
        assertThat(reply.maxNanos()).isGreaterThan(250 * MS);
    }
}
