package dev.retier.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.sse.ServerSentEventHandler;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Event streams and WebSockets of Undertow, held by the command. */
class LoadStreamsTest {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ServerSentEventHandler events = Handlers.serverSentEvents();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Undertow server;

    private static final class Echo extends AbstractReceiveListener {
        @Override
        protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
            WebSockets.sendText(message.getData(), channel, null);
        }
    }

    @BeforeEach
    void serve() {
        server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(Handlers.path()
                        .addExactPath("/events", events)
                        .addExactPath("/echo", Handlers.websocket((_, channel) -> {
                            channel.getReceiveSetter().set(new Echo());
                            channel.resumeReceives();
                        })))
                .build();
        server.start();
        var _ = clock.scheduleAtFixedRate(
                () -> events.getConnections().forEach(connection -> connection.send("tick")),
                50,
                50,
                TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void stop() {
        clock.shutdownNow();
        server.stop();
    }

    private String address() {
        return "127.0.0.1:"
                + ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
    }

    @Test
    void shouldHoldEventStreams_whenTheyAreOpenedAtARate() throws IOException {
        CommandRun run = CommandRun.of(("load http://%s/events --hold 1s --rate 20 --requests 20 --warm-up 0s"
                        + " --json %s/r.json --report %s/r.html --log-requests %s/r.csv --fail-if ended>0"
                        + " --fail-if open<5")
                .formatted(address(), folder, folder, folder)
                .split(" "));

        assertThat(run.code()).as(run.err()).isZero();
        LoadResult result =
                ResultJson.read("r", Files.readString(folder.resolve("r.json"))).getFirst();
        StreamFigures streams = Objects.requireNonNull(result.streams());
        assertThat(result.totals().answered()).isEqualTo(20);
        assertThat(streams.opened()).isEqualTo(20);
        assertThat(streams.mostOpen()).isBetween(5L, 20L);
        assertThat(streams.events()).isBetween(100L, 800L);
        assertThat(result.clients()).as("48 and those that will be open").isEqualTo(68);
        assertThat(run.out()).containsPattern("streams opened +streams +20\n").containsPattern("time to open p99 +ms ");
        assertThat(run.err()).containsPattern("open \\d+  \\d+ events/s");
        assertThat(folder.resolve("r.html")).content().contains("Open streams", "streams open at most");
        assertThat(Files.readAllLines(folder.resolve("r.csv"))).hasSize(21);
    }

    @Test
    void shouldMeasureReplies_whenWebSocketsAreHeldForTheRun() {
        CommandRun run = CommandRun.of(
                "load",
                "ws://" + address() + "/echo",
                "-c",
                "5",
                "-d",
                "4s",
                "--send",
                "hello there",
                "--send-every",
                "100ms",
                "--warm-up",
                "0s",
                "-o",
                "json");

        assertThat(run.code()).as(run.err()).isZero();
        LoadResult result = ResultJson.read("out", run.out()).getFirst();
        StreamFigures streams = Objects.requireNonNull(result.streams());
        assertThat(result.totals().answered()).isEqualTo(5);
        assertThat(streams.messagesSent()).isBetween(20L, 200L);
        assertThat(Objects.requireNonNull(streams.reply()).count()).isEqualTo(streams.messagesSent());
        assertThat(streams.closesUnanswered()).isZero();
        assertThat(streams.mostOpen()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "load ws://127.0.0.1:1/x                              | need a duration (-d)",
                "load http://127.0.0.1:1/x --send hi                  | give a ws:// or wss:// address",
                "load http://127.0.0.1:1/x --hold long                | 'long' is no duration",
                "load http://127.0.0.1:1/x --hold 1s --guarantee 5    | leave one of them out",
                "load ws://127.0.0.1:1/x -d 1s --connections new      | leave it out",
                "load --target ws://h:1 --target h:1 --path /x -d 1s  | give each kind its own site",
            })
    void shouldNameTheRemedy_whenTheCommandLineIsWrong(String command, String expected) {
        CommandRun run = CommandRun.of(command.split(" +"));

        assertThat(run.err()).contains(expected).doesNotContain("\tat ");
        assertThat(run.code()).isEqualTo(64);
    }
}
