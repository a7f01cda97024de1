package dev.retier.iwarp.testbed;

import dev.retier.iwarp.mpa.MpaFrame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stretch of the way to a server: passes all bytes on, both ways, in pieces of random sizes, and hangs up on who
 * asks with an MPA revision that it does not know, as an old server does.
 */
public final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 100_000;
    private static final int SMALL_BYTES = 64;
    /** Where a Request has its revision (RFC 5044 section 7.1.1). */
    private static final int REVISION_AT = 17;

    private final ServerSocketChannel listener;
    private final InetSocketAddress server;
    private final int lastRevision;
    private final AtomicInteger refused = new AtomicInteger();
    private final List<SocketChannel> open = Collections.synchronizedList(new ArrayList<>());

    /**
     * Relays to {@code server}.
     *
     * @param lastRevision the highest MPA revision that it lets pass
     * @param random for the sizes of pieces
     */
    public Relay(InetSocketAddress server, int lastRevision, SplittableRandom random) throws IOException {
        this.server = server;
        this.lastRevision = lastRevision;
        this.listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("relay-accept").start(() -> accept(random));
    }

    /** Where to connect instead. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    /** Requests that were hung up on. */
    public int refused() {
        return refused.get();
    }

    private void accept(SplittableRandom random) {
        try {
            while (true) {
                relay(listener.accept(), random);
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void relay(SocketChannel client, SplittableRandom random) throws IOException {
        open.add(client);
        ByteBuffer head = ByteBuffer.allocate(MpaFrame.HEADER_LENGTH);
        while (head.hasRemaining() && client.read(head) >= 0) {}
        if (head.get(REVISION_AT) > lastRevision) {
            refused.incrementAndGet();
            client.close();
            return;
        }
        SocketChannel onward = SocketChannel.open(server);
        open.add(onward);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        onward.setOption(StandardSocketOptions.TCP_NODELAY, true);
        onward.write(head.flip());
        pump(client, onward, random.split());
        pump(onward, client, random.split());
    }

    private static void pump(SocketChannel from, SocketChannel to, SplittableRandom random) {
        Thread.ofPlatform().daemon().name("relay").start(() -> {
            ByteBuffer piece = ByteBuffer.allocateDirect(BUFFER_BYTES);
            try (from;
                    to) {
                while (from.read(piece.clear().limit(size(random))) >= 0) {
                    piece.flip();
                    while (piece.hasRemaining()) {
                        to.write(piece);
                    }
                }
            } catch (IOException _) {
                // one end has gone, and so goes the other
            }
        });
    }

    private static int size(SplittableRandom random) {
        return random.nextInt(1, random.nextInt(4) == 0 ? SMALL_BYTES : BUFFER_BYTES);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (SocketChannel channel : List.copyOf(open)) {
            channel.close();
        }
    }
}
