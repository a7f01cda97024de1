package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.measure.TargetTotals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 100,000 requests, 10,000 sessions, 1,000 targets, a day of trace time in seconds, in a heap of 64 MB. */
@Timeout(120)
class LoadScaleIT {
    private static final int TARGETS = 1000;
    private static final String HEAP = "-Xmx64m";

    private final AtomicLong requests = new AtomicLong();

    @TempDir
    private Path folder;

    @Test
    void shouldLoseNothingInBoundedMemory_whenEverythingIsLarge() throws IOException, InterruptedException {
        try (MultiThreadIoEventLoopGroup group = Transport.best().newGroup(1)) {
            Path targets = listen(group);
            Path results = folder.resolve("results.json");

            String log = run(targets, results);

            List<LoadResult> runs = ResultJson.read("results", Files.readString(results));
            assertThat(runs).hasSize(2).allSatisfy(result -> {
                assertThat(result.end()).isEqualTo(EndReason.TRACE_END);
                assertThat(result.totals().sent()).isEqualTo(ScaleRun.REQUESTS);
                assertThat(result.totals().sent())
                        .isEqualTo(result.totals().answered()
                                + result.totals().failed()
                                + result.totals().dropped());
                assertThat(result.totals().failures()).as(log).isEmpty();
                assertThat(result.targets()).hasSize(TARGETS);
                assertThat(result.targets().stream()
                                .mapToLong(TargetTotals::answered)
                                .sum())
                        .isEqualTo(result.totals().answered());
            });
            assertThat(requests.get())
                    .isEqualTo(runs.stream()
                            .mapToLong(run -> run.totals().answered())
                            .sum());
        }
    }

    private String run(Path targets, Path results) throws IOException, InterruptedException {
        Path log = folder.resolve("run.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ScaleRun.class.getName(),
                        targets.toString(),
                        results.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
            return Files.readString(log).lines().limit(50).reduce("", (all, line) -> all + line + "\n");
        } finally {
            process.destroyForcibly();
        }
    }

    private Path listen(MultiThreadIoEventLoopGroup group) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        Answers answers = new Answers();
        for (int i = 0; i < TARGETS; i++) {
            var server = Transport.best()
                    .newServerBootstrap(group)
                    .option(ChannelOption.SO_BACKLOG, 1024)
                    .childHandler(answers)
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();
            names.add("\"127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + '"');
        }
        return Files.writeString(
                folder.resolve("targets.json"),
                "{\"epoch\": 1, \"site\": \"shop\", \"targets\": [" + String.join(", ", names) + "]}");
    }

    /** Answers each read with one response: a client never sends two requests at once, and they are short. */
    @ChannelHandler.Sharable
    private final class Answers extends ChannelInboundHandlerAdapter {
        private static final byte[] ANSWER =
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((ByteBuf) message).release();
            requests.incrementAndGet();
            var _ = context.writeAndFlush(Unpooled.wrappedBuffer(ANSWER));
        }
    }
}
