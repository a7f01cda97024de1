package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two ends whose writes travel in order, and whose receivers and senders are as slow as they like. */
class RingEndTest {
    private static final int MESSAGES = 300;

    @Seeded(tries = 300)
    void shouldBringEveryMessageInOrder_whenSizesAreOddAndBothSidesAreSlow(SplittableRandom random) {
        RingLimits limits = limits(random);
        Side left = new Side(limits);
        Side right = new Side(limits);
        int toRight = random.nextInt(MESSAGES);
        int toLeft = random.nextInt(4) == 0 ? 0 : random.nextInt(MESSAGES);
        offer(left, toRight, limits, random);
        offer(right, toLeft, limits, random);

        while (left.taken.size() < toLeft || right.taken.size() < toRight) {
            boolean moved = false;
            for (int i = 0; i < 8; i++) {
                Side from = random.nextBoolean() ? left : right;
                Side to = from == left ? right : left;
                moved |= from.step(to, random);
            }
            assertThat(moved || left.canMove(right) || right.canMove(left))
                    .as("somebody can go on")
                    .isTrue();
        }

        assertThat(right.taken).as("to the right").isEqualTo(left.offered);
        assertThat(left.taken).as("to the left").isEqualTo(right.offered);
    }

    @Test
    void shouldRefuse_whenARecordLiesWhereNoneIsDue() {
        RingLimits limits = new RingLimits(4096, 8, 256);
        RingEnd end = new RingEnd(limits, memory(limits), memory(limits));

        assertThatThrownBy(() -> end.take(5)).isInstanceOf(ProtocolError.class).hasMessageContaining("where 0 is due");
        assertThatThrownBy(() -> end.take(0)).isInstanceOf(ProtocolError.class).hasMessageContaining("no record");
        assertThatThrownBy(() -> end.take(Integer.MAX_VALUE)).isInstanceOf(ProtocolError.class);
    }

    @Test
    void shouldRefuse_whenThePeerHasTakenMoreThanWasSent() {
        RingLimits limits = new RingLimits(4096, 8, 256);
        RingEnd end = new RingEnd(limits, memory(limits), memory(limits));

        assertThatThrownBy(() -> end.take(Immediates.creditUpdate(1)))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("taken 1 messages of 0");
    }

    @Seeded(tries = 200)
    void shouldRefuseOrTakeAndNeverFail_whenTheRingHoldsRubbish(SplittableRandom random) {
        RingLimits limits = new RingLimits(4096, 8, 256);
        MemorySegment ring = memory(limits);
        RingEnd end = new RingEnd(limits, memory(limits), ring);
        Side honest = new Side(limits);
        offer(honest, 1, limits, random);
        honest.end.next();
        ring.copyFrom(honest.staging);
        for (int i = 0; i < 3; i++) {
            byte[] noise = new byte[1];
            random.nextBytes(noise);
            ring.set(ValueLayout.JAVA_BYTE, random.nextInt(32), noise[0]);
        }
        try {
            Optional<Message> message = end.take(0);
            assertThat(message).isPresent();
            assertThat(message.get().body().length).isLessThanOrEqualTo(256);
        } catch (ProtocolError refused) {
            assertThat(refused).hasMessageNotContaining("null");
        }
    }

    private static RingLimits limits(SplittableRandom random) {
        int body = 8 + random.nextInt(600);
        int least = 4 * MessageRecord.lengthBytes(body);
        return new RingLimits(least + 8 * random.nextInt(200), 4 + random.nextInt(20), body);
    }

    private static void offer(Side side, int count, RingLimits limits, SplittableRandom random) {
        for (int i = 1; i <= count; i++) {
            byte[] body = new byte[random.nextInt(limits.bodyBytes() + 1)];
            random.nextBytes(body);
            Message message = Message.answer(i, Priority.LOW, Status.FAILED, body);
            side.offered.add(fingerprint(message));
            side.end.offer(message);
        }
    }

    private static String fingerprint(Message message) {
        return message.kind() + " " + message.call() + " " + message.status() + " " + message.priority() + " "
                + HexFormat.of().formatHex(message.body());
    }

    private static MemorySegment memory(RingLimits limits) {
        return Arena.ofAuto().allocate(limits.ringBytes(), 8);
    }

    private static final class Side {
        final MemorySegment staging;
        final MemorySegment ring;
        final RingEnd end;
        final Queue<RingEnd.Write> leaving = new ArrayDeque<>();
        final Queue<Integer> arrived = new ArrayDeque<>();
        final List<String> offered = new ArrayList<>();
        final List<String> taken = new ArrayList<>();
        int receives;
        int completions;

        Side(RingLimits limits) {
            this.staging = memory(limits);
            this.ring = memory(limits);
            this.end = new RingEnd(limits, staging, ring);
            this.receives = limits.receives();
        }

        /** Does one thing at random; whether there was something to do. */
        boolean step(Side peer, SplittableRandom random) {
            return switch (random.nextInt(4)) {
                case 0 -> post();
                case 1 -> arriveAt(peer);
                case 2 -> completed();
                default -> take();
            };
        }

        boolean canMove(Side peer) {
            return post() || arriveAt(peer) || completed() || take();
        }

        private boolean post() {
            Optional<RingEnd.Write> write = end.next();
            write.ifPresent(leaving::add);
            return write.isPresent();
        }

        /** The write is read from staging only now, and consumes a receive of the peer. */
        private boolean arriveAt(Side peer) {
            RingEnd.Write write = leaving.poll();
            if (write == null) {
                return false;
            }
            peer.ring
                    .asSlice(write.offset(), write.lengthBytes())
                    .copyFrom(staging.asSlice(write.offset(), write.lengthBytes()));
            peer.receives--;
            assertThat(peer.receives).as("receives left").isNotNegative();
            peer.arrived.add(write.immediate());
            completions++;
            return true;
        }

        private boolean completed() {
            if (completions == 0) {
                return false;
            }
            completions--;
            end.sent();
            return true;
        }

        private boolean take() {
            Integer immediate = arrived.poll();
            if (immediate == null) {
                return false;
            }
            receives++;
            try {
                end.take(immediate).ifPresent(message -> taken.add(fingerprint(message)));
            } catch (ProtocolError error) {
                throw new AssertionError(error);
            }
            return true;
        }
    }
}
