package dev.retier.bench.strangers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Attackers without the secret: connect at a pace from addresses of their own, say their opening, and stay as long as
 * they are let. One thread until closed; the figures may be read by any.
 */
final class Strangers implements AutoCloseable {
    /** More than a device takes, fewer than the descriptors that this process may have. */
    static final int MOST_HELD = 6_000;

    private static final int MOST_AT_ONCE = 100;
    private static final int FULL_SPEED_AT_ONCE = 20;
    private static final int BUFFER_BYTES = 1_024;
    private static final int JOIN_MILLIS = 5_000;
    private static final int LAST_OCTET_OF_FIRST = 10;

    private final InetSocketAddress target;
    private final Attack attack;
    private final List<InetAddress> from;
    private final Selector selector;
    private final Random random = new Random(1);
    private final Deque<SocketChannel> held = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final AtomicLong tried = new AtomicLong();
    private final AtomicLong connected = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final Thread thread;
    private volatile boolean isOpen = true;

    /**
     * How they go about it.
     *
     * @param opening what each says
     * @param addresses from how many of 127.1.0.0/24; 0 for the one that is the members' own
     * @param perSecond connects, 0 for as many as there can be
     */
    record Attack(Opening opening, int addresses, int perSecond) {}

    private Strangers(InetSocketAddress target, Attack attack) throws IOException {
        this.target = target;
        this.attack = attack;
        this.from = addresses(attack.addresses());
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().name("strangers").daemon(true).unstarted(this::run);
    }

    /**
     * Begins.
     *
     * @throws IOException when the system has no selector left
     */
    static Strangers start(InetSocketAddress target, Attack attack) throws IOException {
        Strangers strangers = new Strangers(target, attack);
        strangers.thread.start();
        return strangers;
    }

    /** So many addresses of the loopback network, none of them a member's; the members' own for 0. */
    static List<InetAddress> addresses(int count) throws UnknownHostException {
        if (count == 0) {
            return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        }
        List<InetAddress> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(InetAddress.getByAddress(new byte[] {127, 1, 0, (byte) (LAST_OCTET_OF_FIRST + i)}));
        }
        return all;
    }

    /** How many connects are due after {@code elapsedNanos} when {@code tried} were tried; at most a few at once. */
    static int due(int perSecond, long elapsedNanos, long tried) {
        if (perSecond == 0) {
            return FULL_SPEED_AT_ONCE;
        }
        long until = elapsedNanos / 1_000 * perSecond / TimeUnit.SECONDS.toMicros(1);
        return (int) Math.min(MOST_AT_ONCE, Math.max(0, until - tried));
    }

    private void run() {
        long beganNanos = System.nanoTime();
        while (isOpen) {
            try {
                int due = due(attack.perSecond(), System.nanoTime() - beganNanos, tried.get());
                for (int i = 0; i < due; i++) {
                    connect();
                }
                selector.select(key -> serve(key), 1);
            } catch (IOException e) {
                throw new IllegalStateException("strangers cannot go on", e);
            }
        }
    }

    private void connect() throws IOException {
        long number = tried.getAndIncrement();
        while (!held.isEmpty() && (held.size() >= MOST_HELD || !held.getFirst().isOpen())) {
            end(held.removeFirst());
        }
        SocketChannel channel = SocketChannel.open();
        held.add(channel);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0); // a reset, which leaves no port waiting
            channel.bind(new InetSocketAddress(from.get((int) (number % from.size())), 0));
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (channel.connect(target)) {
                greet(channel, key);
            }
        } catch (IOException e) {
            end(channel);
        }
    }

    private void serve(SelectionKey key) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                greet(channel, key);
            } else if (key.isReadable() && channel.read(buffer.clear()) < 0) {
                end(channel);
            }
        } catch (IOException e) {
            end(channel);
        }
    }

    private void greet(SocketChannel channel, SelectionKey key) throws IOException {
        connected.incrementAndGet();
        key.interestOps(SelectionKey.OP_READ);
        ByteBuffer opening = ByteBuffer.wrap(attack.opening().bytes(Cell.RESTARTED, Cell.VICTIM, random));
        if (channel.write(opening) < opening.limit()) {
            throw new IOException("a fresh connection takes no " + opening.limit() + " bytes");
        }
    }

    private void end(@Nullable SocketChannel channel) {
        if (channel != null && channel.isOpen()) {
            ended.incrementAndGet();
            try {
                channel.close();
            } catch (IOException e) {
                throw new IllegalStateException("a socket cannot be closed", e);
            }
        }
    }

    /** Connects that were tried until now. */
    long tried() {
        return tried.get();
    }

    /** Connects that came about until now. */
    long connected() {
        return connected.get();
    }

    /** Ends all. */
    @Override
    public void close() {
        isOpen = false;
        try {
            thread.join(JOIN_MILLIS);
            held.forEach(this::end);
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("the selector cannot be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
