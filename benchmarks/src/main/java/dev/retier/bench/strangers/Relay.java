package dev.retier.bench.strangers;

import dev.retier.bench.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to one address, until it is told to end them in some way. Thread-safe. */
final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int GARBAGE_BYTES = 64;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final Random random = new Random(2);

    /** How connections end. */
    enum End {
        /** FIN. */
        ORDERLY("closed"),
        /** RST. */
        RESET("reset"),
        /** What is no FPDU, which the victim answers with a Terminate. */
        GARBAGE("garbage in the stream"),
        /** The member itself says goodbye. */
        GOODBYE("the member leaves");

        private final String sentence;

        End(String sentence) {
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    private record Pair(Socket caller, Socket target) {}

    private Relay(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    /**
     * Listens at a free port of the loopback address.
     *
     * @throws IOException when there is none
     */
    static Relay open(InetSocketAddress target) throws IOException {
        Relay relay = new Relay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        Thread.ofVirtual().name("relay").start(relay::accept);
        return relay;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                Socket called = new Socket(target.getAddress(), target.getPort());
                caller.setTcpNoDelay(true);
                called.setTcpNoDelay(true);
                Pair pair = new Pair(caller, called);
                pairs.add(pair);
                Thread.ofVirtual().name("relay-there").start(() -> pump(pair, caller, called));
                Thread.ofVirtual().name("relay-back").start(() -> pump(pair, called, caller));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    Progress.tell("relay: " + e);
                }
            }
        }
    }

    private void pump(Pair pair, Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                to.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException e) {
            // Ended by us or by a side; both ways end then.
            pairs.remove(pair);
        }
        closeQuietly(from);
        closeQuietly(to);
        pairs.remove(pair);
    }

    /** Ends every connection in this way; {@link End#GOODBYE} leaves that to the member. */
    void end(End end) {
        for (Pair pair : List.copyOf(pairs)) {
            try {
                switch (end) {
                    case ORDERLY, GOODBYE -> pair.target().shutdownOutput();
                    case RESET -> pair.target().setSoLinger(true, 0);
                    case GARBAGE -> {
                        byte[] garbage = new byte[GARBAGE_BYTES];
                        random.nextBytes(garbage);
                        pair.target().getOutputStream().write(garbage);
                    }
                }
            } catch (IOException e) {
                Progress.tell("relay: it had ended already: " + e);
            }
            closeQuietly(pair.target());
            closeQuietly(pair.caller());
            pairs.remove(pair);
        }
    }

    private static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            Progress.tell("relay: " + e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        end(End.ORDERLY);
    }
}
