package dev.retier.volume.worlds;

import dev.retier.link.Completions;
import dev.retier.link.Connection;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.slots.Slots;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A connection: what one end writes comes to the other later, in order, while that one does not know that the
 * connection is over.
 */
final class Wire {
    private static final long SHORT_NANOS = 20_000;
    private static final long LONG_NANOS = 1_000_000;
    private static final long LATE_NANOS = 400_000_000;
    private static final int BEHIND_ONE_IN = 4;
    private static final int LATE_ONE_IN = 60;

    private final Threads threads;
    private final SplittableRandom random;
    private final End client;
    private final End server;

    Wire(Threads threads, SplittableRandom random, SlotLink.Shape shape) {
        this.threads = threads;
        this.random = random;
        this.client = new End(shape);
        this.server = new End(shape);
        client.peer = server;
        server.peer = client;
    }

    End client() {
        return client;
    }

    End server() {
        return server;
    }

    boolean isOver() {
        return client.isOver || server.isOver;
    }

    /** Whether nothing comes to the client, and to the server. */
    void block(boolean toClient, boolean toServer) {
        client.isBlocked = toClient;
        server.isBlocked = toServer;
        client.arrive();
        server.arrive();
    }

    /** It is over: each end learns it after so long, and until then takes what comes. */
    void end(long clientNanos, long serverNanos) {
        threads.after(clientNanos, client::over);
        threads.after(serverNanos, server::over);
    }

    private record Message(int slot, ByteBuffer bytes, long dueNanos) {}

    /** One end. */
    final class End implements Slots {
        private final SlotLink.Shape shape;
        private final byte[] incoming;
        private final byte[] outgoing;
        private @Nullable End peer;
        private @Nullable Connection user;
        private final Queue<Message> offered = new ArrayDeque<>();
        private final Queue<Message> coming = new ArrayDeque<>();
        private long lastDueNanos;
        private boolean isBlocked;
        private boolean isOver;
        private boolean isTelling;

        private End(SlotLink.Shape shape) {
            this.shape = shape;
            this.incoming = new byte[shape.count() * shape.bytes()];
            this.outgoing = new byte[shape.count() * shape.bytes()];
        }

        void use(Connection by) {
            user = by;
        }

        @Override
        public SlotLink.Shape shape() {
            return shape;
        }

        @Override
        public long address() {
            return 0;
        }

        @Override
        public int key() {
            return 0;
        }

        @Override
        public void aim(long address, int key) {}

        @Override
        public ByteBuffer incoming(int slot) {
            return ByteBuffer.wrap(incoming, slot * shape.bytes(), shape.bytes())
                    .slice();
        }

        @Override
        public ByteBuffer outgoing(int slot) {
            return ByteBuffer.wrap(outgoing, slot * shape.bytes(), shape.bytes())
                    .slice();
        }

        @Override
        public void send(int slot, int bytes) {
            int at = slot * shape.bytes();
            offered.add(new Message(slot, ByteBuffer.wrap(Arrays.copyOfRange(outgoing, at, at + bytes)), 0));
        }

        @Override
        public void send(int slot, int bytes, List<SlotLink.Piece> more) {
            throw new IllegalStateException("nobody has lent memory here");
        }

        @Override
        public void post() {
            End to = peer;
            for (Message next = offered.poll(); next != null; next = offered.poll()) {
                if (to != null && !isOver) {
                    to.expect(next);
                }
            }
        }

        private void expect(Message message) {
            boolean isLate = random.nextInt(LATE_ONE_IN) == 0;
            long delay = random.nextLong(SHORT_NANOS, isLate ? LATE_NANOS : LONG_NANOS);
            lastDueNanos = Math.max(lastDueNanos, threads.nowNanos() + delay);
            coming.add(new Message(message.slot, message.bytes, lastDueNanos));
            threads.after(lastDueNanos - threads.nowNanos(), this::arrive);
        }

        /** By one thread at a time, as a completion queue tells of what comes. */
        private void arrive() {
            if (isTelling) {
                return;
            }
            isTelling = true;
            while (!isBlocked && !isOver && !coming.isEmpty() && coming.element().dueNanos <= threads.nowNanos()) {
                Message message = coming.remove();
                message.bytes.get(incoming, message.slot * shape.bytes(), message.bytes.remaining());
                Connection to = user;
                if (to != null) {
                    to.immediate(message.slot);
                }
            }
            isTelling = false;
        }

        /** Whether this end knows that it is over. */
        boolean isOver() {
            return isOver;
        }

        private void over() {
            Connection by = user;
            if (!isOver && by != null) {
                isOver = true;
                by.abort("the connection is over");
            }
        }

        @Override
        public boolean isBehind() {
            return random.nextInt(BEHIND_ONE_IN) == 0;
        }

        @Override
        public @Nullable Completions completions() {
            return null;
        }

        @Override
        public void heard() {}

        @Override
        public long oldestNanos(long nowNanos) {
            return nowNanos;
        }

        @Override
        public void broken(String reason) {
            end(random.nextLong(SHORT_NANOS, LONG_NANOS), random.nextLong(SHORT_NANOS, LONG_NANOS));
        }

        @Override
        public void close() {
            isOver = true;
        }
    }
}
