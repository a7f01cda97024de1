package dev.retier.iwarp.net;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.WorkOpcode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A queue pair in full operation whose peer is a bare socket: it sends nothing, and reads only when told to. */
final class LonePair implements AutoCloseable {
    /** More than TCP takes while nobody reads. */
    static final int MUCH_BYTES = 32 << 20;

    private static final int PATIENCE_MILLIS = 20_000;
    private static final int DOMAIN = 1;
    /** Wake-ups after which the loop leaves a socket to who polls or waits. */
    private static final int WAKES = 16;

    final ProgressLoop loop;
    final SocketQueuePair pair;
    private final Device device;
    private final Socket peer;

    private static final class Established implements QueuePairListener {
        final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public void established() {
            latch.countDown();
        }

        @Override
        public void disconnected(String why) {}
    }

    LonePair(String name) throws Exception {
        loop = new ProgressLoop(name);
        device = new Device(DeviceConfig.defaults().withResponderHold(Duration.ZERO), loop);
        CompletionQueue queue = device.newCompletionQueue(8, null);
        Established established = new Established();
        pair = new SocketQueuePair(device, new SocketQueuePair.Sizes(DOMAIN, 4, 4, 4), queue, queue, established);
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, null), requests::add)) {
            peer = new Socket(listening.local().getAddress(), listening.local().getPort());
            peer.setSoTimeout(PATIENCE_MILLIS);
            MpaInitiator initiator =
                    new MpaInitiator(StartupPolicy.standard(4, 4).unenhanced());
            peer.getOutputStream().write(initiator.request(new byte[0]));
            Responding request = requests.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            Objects.requireNonNull(request, "no request came").accept(pair, new byte[0]);
        }
        byte[] head = peer.getInputStream().readNBytes(MpaFrame.HEADER_LENGTH);
        peer.getInputStream().skipNBytes(MpaFrame.lengthOf(ByteBuffer.wrap(head)) - head.length);
        if (!established.latch.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("the pair is not established");
        }
    }

    /** Runs a task on the loop's thread, which sleeps in its selector soon after. */
    void onLoop(Runnable task) {
        loop.execute(task);
        loop.awaitSelection();
    }

    /** The loop leaves the socket to a poller; but it does not look after it, as for those it has left by itself. */
    void leaveToPoller() {
        onLoop(() -> {
            for (int i = 0; i < WAKES; i++) {
                pair.poll();
                pair.polls().park();
            }
        });
    }

    /** The same to the thread that waits for the events of that. */
    void leaveToWaiter(CompletionChannel channel) {
        channel.raise();
        onLoop(() -> {
            for (int i = 0; i < WAKES; i++) {
                pair.polls().parkForWaiter(channel);
            }
            key().interestOps(0);
        });
    }

    private SelectionKey key() {
        return loop.selector().keys().stream()
                .filter(key -> pair.equals(key.attachment()))
                .findAny()
                .orElseThrow();
    }

    /** The system's number of the pair's socket. */
    int descriptor() throws Exception {
        CompletableFuture<SocketChannel> found = new CompletableFuture<>();
        loop.execute(() -> found.complete((SocketChannel) key().channel()));
        return SocketDescriptors.of(found.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS), true);
    }

    /** Posts a Write of so much that a part of it stays, as nobody reads. */
    void postMuch() throws IwarpException {
        ByteBuffer memory = ByteBuffer.allocateDirect(MUCH_BYTES);
        MemoryRegion region = Objects.requireNonNull(
                device.regions().register(MemoryRegion.Grant.toDomain(DOMAIN, 0), memory), "no room");
        pair.post(engine -> {
            SendWork work = Objects.requireNonNull(engine.sends().claim());
            work.opcode = WorkOpcode.WRITE;
            work.scatter().add(region.address(), MUCH_BYTES, region.stag());
            engine.sends().commit();
        });
    }

    /** The peer sends a byte, of an FPDU that does not go on. */
    void sendByte() throws IOException {
        peer.getOutputStream().write(0);
    }

    /** The peer reads as much; it fails where the pair stops sending. */
    int readMuch() throws IOException {
        int bytes = peer.getInputStream().readNBytes(MUCH_BYTES).length;
        if (bytes < MUCH_BYTES) {
            throw new EOFException("the pair hung up after " + bytes + " bytes");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        peer.close();
        pair.destroy();
        loop.close();
    }
}
