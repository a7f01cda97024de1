package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that breaks the rules by seed: its client ends the connection, comes back, and believes no wrong byte. */
@Timeout(120)
class LyingServerTest {
    private static final int BYTES = 32 << 10;
    private static final int STEPS = 40;
    private static final Completion WAITING = new Completion(CompletionMode.WAIT, Duration.ZERO, Completion.NEVER);

    /** Has a volume in memory, and answers by a thread of its own. */
    private static final class Server {
        private final HeldServer held;
        private final SplittableRandom random;
        private final byte[] volume = new byte[BYTES];
        private volatile boolean isHonest;
        private volatile boolean isOver;
        /** How often it has refused, in an answer as it should be, what it could have done. */
        private final AtomicInteger refused = new AtomicInteger();

        /** Requests that it did not take, or answered, as they were sent; the second time counts as a refusal. */
        private final Set<Long> garbled = new HashSet<>();

        private final AtomicInteger connections = new AtomicInteger();

        Server(HeldServer held, SplittableRandom random) {
            this.held = held;
            this.random = random;
        }

        void run() throws InterruptedException {
            while (!isOver) {
                HeldSlots slots = held.connected();
                connections.incrementAndGet();
                while (!slots.isOver() && !isOver) {
                    HeldSlots.Message message = slots.messages.poll(1, TimeUnit.MILLISECONDS);
                    if (message != null) {
                        answer(slots, message);
                    } else {
                        held.tick();
                    }
                }
                slots.end("it is over");
            }
        }

        private void answer(HeldSlots slots, HeldSlots.Message message) {
            int slot = message.slot();
            Request request = Request.parse(message.bytes(), slot).orElseThrow();
            ByteBuffer data = Request.data(message.bytes()).orElseThrow();
            int lie = isHonest ? -1 : random.nextInt(60);
            Status status = Status.DONE;
            if (lie == 0 && request.operation() != Operation.OPEN && request.operation() != Operation.RESUME) {
                refused.incrementAndGet();
                status = random.nextBoolean() ? Status.IO_ERROR : Status.INVALID;
            } else if (lie == 1) { // as if it had been garbled on its way, once
                status = request.operation() == Operation.READ ? Status.BAD_DATA : Status.DONE;
            } else if (lie == 2) {
                slots.announce(random.nextBoolean() ? HeldServer.SHAPE.count() : -1 - random.nextInt(9));
            }
            byte[] told = status == Status.DONE ? done(request, data) : new byte[0];
            if (lie == 3 && request.operation() == Operation.READ) {
                refused.incrementAndGet();
                told = Arrays.copyOf(told, random.nextInt(4096));
            }
            long sequence = lie == 4 ? request.sequence() + 1 + random.nextInt(3) : request.sequence();
            Answer answer = new Answer(status, sequence, 1, 1, BYTES);
            int to = lie == 5 ? random.nextInt(HeldServer.SHAPE.count()) : slot;
            byte[] bytes = told;
            boolean isGarbled = status == Status.BAD_DATA || (lie == 8 && bytes.length > 0) || lie == 9;
            if (isGarbled && sequence != 0 && !garbled.add(sequence)) {
                refused.incrementAndGet();
            }
            slots.put(to, into -> {
                into.put(Answer.BYTES, bytes);
                answer.encode(into, to, bytes.length);
                garble(into.order(ByteOrder.LITTLE_ENDIAN), lie, bytes.length);
            });
            slots.announce(to);
            if (lie == 6) {
                slots.announce(to);
            }
        }

        private void garble(ByteBuffer slot, int lie, int dataBytes) {
            if (lie == 7) {
                int bit = random.nextInt(Answer.BYTES * 8);
                slot.put(bit / 8, (byte) (slot.get(bit / 8) ^ 1 << bit % 8));
            } else if (lie == 8 && dataBytes > 0) {
                int at = Answer.BYTES + random.nextInt(dataBytes);
                slot.put(at, (byte) (slot.get(at) ^ 1 << random.nextInt(8)));
            } else if (lie == 9) {
                slot.putInt(
                        4,
                        List.of(-1, Integer.MAX_VALUE, 4097, Integer.MIN_VALUE).get(random.nextInt(4)));
                slot.putInt(60, Checksums.of(slot, 0, 60));
            } else if (lie == 10) {
                slot.putShort(2, (short) (100 + random.nextInt(1000)));
                slot.putInt(60, Checksums.of(slot, 0, 60));
            } else if (lie == 11) {
                byte[] nonsense = new byte[slot.capacity()];
                random.nextBytes(nonsense);
                slot.put(0, nonsense);
            }
        }

        private byte[] done(Request request, ByteBuffer data) {
            int offset = (int) request.offset();
            return switch (request.operation()) {
                case WRITE -> {
                    data.get(volume, offset, data.remaining());
                    yield new byte[0];
                }
                case READ -> Arrays.copyOfRange(volume, offset, offset + request.length());
                default -> new byte[0];
            };
        }
    }

    private static RemoteVolume attached(Server server) {
        while (true) {
            int before = server.refused.get();
            try {
                return server.held.client().attach(new VolumeName("v"), false);
            } catch (IOException failed) {
                assertThat(server.refused.get()).as(failed.toString()).isGreaterThan(before);
            }
        }
    }

    /** One request; it fails only if the server says so. */
    private static void step(RemoteVolume volume, byte[] model, Server server, SplittableRandom random) {
        int offset = random.nextInt(BYTES - 1);
        int length = 1 + random.nextInt(Math.min(9000, BYTES - offset));
        byte[] data = new byte[length];
        int before = server.refused.get();
        boolean isWrite = random.nextBoolean();
        try {
            if (isWrite) {
                random.nextBytes(data);
                volume.write(offset, ByteBuffer.wrap(data));
                System.arraycopy(data, 0, model, offset, length);
            } else {
                volume.read(offset, ByteBuffer.wrap(data));
                assertThat(data).isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
            }
        } catch (IOException failed) {
            assertThat(server.refused.get()).as(failed.toString()).isGreaterThan(before);
            if (isWrite) { // parts of it may have been done
                System.arraycopy(server.volume, offset, model, offset, length);
            }
        }
    }

    private static int tried(long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        HeldServer held = new HeldServer(System::nanoTime, Optional.empty(), WAITING);
        Server server = new Server(held, random.split());
        Thread serving = Thread.ofVirtual().start(() -> {
            try {
                server.run();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        byte[] model = new byte[BYTES];
        RemoteVolume volume = attached(server);
        for (int step = 0; step < STEPS; step++) {
            step(volume, model, server, random);
        }
        server.isHonest = true;
        int before = server.refused.get();
        for (int step = 0; step < 5; step++) {
            step(volume, model, server, random);
        }
        assertThat(server.refused.get()).as("all goes on with an honest one").isEqualTo(before);
        held.close();
        server.isOver = true;
        serving.join();
        return server.connections.get();
    }

    @Test
    void shouldBelieveNoWrongByteAndComeBack_whateverAServerAnswers() throws InterruptedException {
        int connections = 0;
        for (long seed = 0; seed < Repeats.of(40); seed++) {
            try {
                connections += tried(seed);
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError("seed " + seed + ": " + failed, failed);
            }
        }
        assertThat(connections).as("connections that were ended").isGreaterThan(200);
    }
}
