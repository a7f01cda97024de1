package dev.retier.load.drive;

import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Warms the generator up against a server of its own on loopback, so that the virtual machine has loaded and compiled
 * what sends requests before the first one counts, and the real targets see nothing of it.
 */
public final class WarmUp {
    private static final Trace REQUESTS = GeneratedTrace.mixed(Long.MAX_VALUE / 10_000_000, 0.5, Catalogue.DEFAULT, 0);
    private static final double OPEN_LOOP_PER_SECOND = 2_000;
    private static final int CLIENTS = 8;
    private static final Duration SHORTEST = Duration.ofMillis(20);

    private WarmUp() {}

    /**
     * Sends for about {@code length}, 0 to 10 min, half of it in a closed loop and half in an open one; less than 20 ms
     * does nothing.
     *
     * @throws InterruptedException when interrupted while it runs
     */
    public static void run(Duration length) throws InterruptedException {
        if (length.compareTo(SHORTEST) < 0) {
            return;
        }
        Transport transport = Transport.best();
        MultiThreadIoEventLoopGroup group = transport.newGroup(1);
        try {
            Channel server = transport
                    .newServerBootstrap(group)
                    .childHandler(new Answers())
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            TargetSource targets = TargetSource.fixed(List.of(new Target("127.0.0.1", port)));
            LoadPlanBuilder plan = LoadPlan.of("warm-up", REQUESTS, targets)
                    .withClients(CLIENTS)
                    .withDuration(length.dividedBy(2));
            LoadRun.start(plan.build()).await();
            LoadRun.start(plan.withPacing(Pacing.Rates.constant(OPEN_LOOP_PER_SECOND))
                            .build())
                    .await();
        } finally {
            var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Answers each read with one response: the clients above never send two requests at once. */
    @ChannelHandler.Sharable
    private static final class Answers extends ChannelInboundHandlerAdapter {
        private static final byte[] ANSWER =
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((ByteBuf) message).release();
            var _ = context.writeAndFlush(Unpooled.wrappedBuffer(ANSWER));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }
}
