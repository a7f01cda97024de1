package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.Logged;
import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that break the rules by seed, one after the other, beside one that keeps them. */
@Timeout(120)
class LyingClientTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final long SECRET = 0x5EC2_E75E_C2E7_5EC3L;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int STEPS = 30;
    private static final Duration HOUR = Duration.ofHours(1);

    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Pool pool;
    private final Serving serving;
    private final Honest honest;

    LyingClientTest() throws IOException, InterruptedException {
        pool = MemoryServer.pool(BlockCache.of(1 << 20, CachePolicy.MQ));
        var _ = pool.create(new VolumeName("honest"), 1 << 20);
        Means means = new Means(this::thread, System::nanoTime);
        Times times = new Times(HOUR, Duration.ofSeconds(2), Duration.ofSeconds(2));
        serving = new Serving(
                pool,
                new VolumeServer.Identity(1, new UUID(3, 4)),
                new Limits(SHAPE.count(), SHAPE.bytes(), 8, 2),
                times,
                means);
        honest = new Honest();
    }

    private Thread thread(Runnable work) {
        Thread made = new Thread(work, "served");
        threads.add(made);
        return made;
    }

    /** All has ended: nothing of a liar's is left over. */
    @AfterEach
    void end() throws IOException {
        honest.slots.end("the test is over");
        serving.close();
        pool.close();
        soon().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(20)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    private HeldSlots admit(long life) {
        HeldSlots slots = new HeldSlots(SHAPE);
        slots.use(serving.admit(life, slots).connection());
        return slots;
    }

    /** It has a volume for itself, which holds what nobody else may see. */
    private final class Honest {
        final HeldSlots slots = admit(1);
        final int volume;
        final int epoch;

        Honest() throws InterruptedException {
            var _ = ask(Request.about(Operation.OPEN, 0, 0, 0), text("honest"));
            Answer attached = ask(Request.about(Operation.ATTACH, 0, 0, 0), text("honest"));
            assertThat(attached.status()).isEqualTo(Status.DONE);
            volume = attached.volume();
            epoch = attached.epoch();
            for (int block = 0; block < 8; block++) {
                Request write = new Request(Operation.WRITE, 0, 4096, block * 4096L, volume, epoch, 0);
                assertThat(ask(write, secret()).status()).isEqualTo(Status.DONE);
            }
        }

        private ByteBuffer told(Request request, ByteBuffer data) throws InterruptedException {
            slots.ask(0, request, data);
            HeldSlots.Message told = slots.messages.poll(20, TimeUnit.SECONDS);
            assertThat(told).as("%s, %s", request, slots.reason).isNotNull();
            return Objects.requireNonNull(told).bytes();
        }

        private Answer ask(Request request, ByteBuffer data) throws InterruptedException {
            return Answer.parse(told(request, data), 0).orElseThrow();
        }

        void looks() throws InterruptedException {
            for (int block = 0; block < 8; block++) {
                Request read = new Request(Operation.READ, 0, 4096, block * 4096L, volume, epoch, 0);
                ByteBuffer told = told(read, NOTHING);
                assertThat(Answer.parse(told, 0).map(Answer::status)).contains(Status.DONE);
                assertThat(Answer.data(told)).contains(secret());
            }
        }
    }

    private static ByteBuffer secret() {
        ByteBuffer data = ByteBuffer.allocate(4096);
        while (data.hasRemaining()) {
            data.putLong(SECRET);
        }
        return data.flip();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** One that lies. */
    private final class Liar {
        private final SplittableRandom random;
        private final HeldSlots slots;
        private final Set<Integer> free = new HashSet<>(Set.of(0, 1, 2, 3));
        private int mine;
        private int epoch;
        private int told;
        /** Whether it has done what no server may let pass. */
        private boolean isToEnd;

        Liar(long seed) {
            this.random = new SplittableRandom(seed);
            this.slots = admit(100 + seed);
        }

        private <T> T anyOf(List<T> some) {
            return some.get(random.nextInt(some.size()));
        }

        void lie() throws InterruptedException {
            if (random.nextInt(8) > 0) {
                slots.ask(0, Request.about(Operation.OPEN, random.nextLong(), random.nextInt(), 0), text("liar"));
                awaitAnswer(0);
                slots.ask(0, Request.about(Operation.CREATE, 1 << 20, 0, 0), text("liars"));
                awaitAnswer(0); // it may be there, or have been deleted by the one before
                slots.ask(0, new Request(Operation.ATTACH, Request.BY_FORCE, 0, 0, 0, 0, 0), text("liars"));
                Answer attached = Answer.parse(awaitAnswer(0), 0).orElseThrow();
                mine = attached.volume();
                epoch = attached.epoch();
            } else { // nobody knows where its answers would go
                free.remove(0);
                slots.ask(0, Request.about(anyOf(List.of(Operation.LIST, Operation.SHOW)), 0, 0, 0), NOTHING);
                isToEnd = true;
            }
            for (int step = 0; step < STEPS && !slots.isOver() && !isToEnd; step++) {
                step();
            }
            if (isToEnd) {
                soon().until(slots::isOver);
            }
            soon().until(() -> {
                take();
                return slots.isOver() || free.size() == SHAPE.count();
            });
            assertThat(slots.isOver() && slots.reason.isBlank())
                    .as("it is said why")
                    .isFalse();
            slots.end("it leaves");
        }

        private ByteBuffer awaitAnswer(int slot) throws InterruptedException {
            HeldSlots.Message answered = slots.messages.poll(10, TimeUnit.SECONDS);
            assertThat(Objects.requireNonNull(answered).slot()).isEqualTo(slot);
            return answered.bytes();
        }

        private void take() {
            for (var next = slots.messages.poll(); next != null; next = slots.messages.poll()) {
                take(next);
            }
        }

        private void take(HeldSlots.Message answered) {
            assertThat(free.add(answered.slot()))
                    .as("slot %d answered twice", answered.slot())
                    .isTrue();
            told++;
            for (int at = 0; at + Long.BYTES <= answered.bytes().capacity(); at++) {
                assertThat(answered.bytes().getLong(at)).as("what is another's").isNotEqualTo(SECRET);
            }
        }

        private void step() throws InterruptedException {
            take();
            if (random.nextInt(120) == 0) {
                isToEnd = true;
                slots.announce(anyOf(List.of(-1, SHAPE.count(), 0xFFFF, Integer.MIN_VALUE, Integer.MAX_VALUE)));
                return;
            }
            if (free.isEmpty()) {
                HeldSlots.Message next = slots.messages.poll(10, TimeUnit.MILLISECONDS);
                if (next != null) {
                    take(next);
                }
                return;
            }
            int slot = free.iterator().next();
            free.remove(slot);
            int length = random.nextInt(4) == 0 ? random.nextInt(4097) : anyOf(List.of(0, 8, 4096));
            ByteBuffer data = ByteBuffer.allocate(length);
            for (int at = 0; at < length; at++) {
                data.put(at, (byte) random.nextInt());
            }
            Request request = request(data);
            slots.put(slot, into -> {
                into.put(Request.BYTES, data, 0, data.capacity());
                request.encode(into, slot, length);
                garble(into.order(ByteOrder.LITTLE_ENDIAN));
            });
            slots.announce(slot);
            slots.put(slot, this::changeLate);
        }

        private Request request(ByteBuffer data) {
            Operation operation = anyOf(List.of(Operation.values()));
            // What is of use to it among clients that are let in: who proves the secret may fence others.
            boolean isOfOthers = operation == Operation.EVICT;
            int volume = isOfOthers
                    ? anyOf(List.of(0, mine, 3, -1))
                    : anyOf(List.of(honest.volume, mine, mine, mine, 0, 3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE));
            if (random.nextInt(3) == 0) {
                byte[] name = anyOf(List.of("liars", "liars a", "liars a b", "gone", "", " ", "\n"))
                        .getBytes(StandardCharsets.US_ASCII);
                data.put(0, name, 0, Math.min(name.length, data.capacity()));
            }
            return new Request(
                    operation,
                    anyOf(List.of(0, 0, 0, 1, 2, 4, 16, 32, 48, 53, 64)),
                    random.nextInt(3) == 0
                            ? random.nextInt()
                            : anyOf(List.of(data.capacity(), 0, 1, 4096, 8192, -1, Integer.MAX_VALUE)),
                    random.nextInt(4) == 0
                            ? random.nextLong()
                            : anyOf(List.of(0L, 1L, 4096L, (1L << 20) - 1, 1L << 20, -1L, Long.MAX_VALUE, 1L << 40)),
                    volume,
                    anyOf(List.of(epoch, epoch, epoch, 0, 1, epoch - 1, -1, Integer.MIN_VALUE)),
                    random.nextLong());
        }

        private void garble(ByteBuffer slot) {
            int what = random.nextInt(12);
            if (what == 0) { // its checksum is right
                slot.put(random.nextInt(60), (byte) random.nextInt());
                slot.putInt(60, Checksums.of(slot, 0, 60));
            } else if (what == 1) {
                slot.putInt(32, anyOf(List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4097, 1)));
                slot.putInt(60, Checksums.of(slot, 0, 60));
            } else if (what == 2) { // its data is not what it says
                slot.putInt(36, random.nextInt());
                slot.putInt(60, Checksums.of(slot, 0, 60));
            } else if (what == 3 && random.nextInt(12) == 0) {
                int bit = random.nextInt(Request.BYTES * 8);
                slot.put(bit / 8, (byte) (slot.get(bit / 8) ^ 1 << bit % 8));
                isToEnd = true;
            }
        }

        private void changeLate(ByteBuffer slot) {
            if (random.nextInt(8) == 0) {
                slot.put(random.nextInt(slot.capacity()), (byte) random.nextInt());
            }
        }
    }

    private void requireHint(Request hint, Status status, String why) throws InterruptedException {
        ByteBuffer told = honest.told(hint, NOTHING);
        assertThat(Answer.parse(told, 0).map(Answer::status)).as("%s", hint).contains(status);
        assertThat(StandardCharsets.UTF_8
                        .decode(Answer.data(told).orElseThrow())
                        .toString())
                .contains(why);
    }

    @Test
    void shouldTakeHintsOfWhatIsInTheVolume_andNoOthers() throws Exception {
        var _ = pool.create(new VolumeName("large"), 8L << 30);
        Answer large = honest.ask(Request.about(Operation.ATTACH, 0, 0, 0), text("large"));
        int volume = large.volume();
        for (int flags : new int[] {0, Request.NOT_NEEDED}) {
            int epoch = large.epoch();
            requireHint(new Request(Operation.HINT, flags, 1 << 30, 7L << 30, volume, epoch, 0), Status.DONE, "");
            requireHint(
                    new Request(Operation.HINT, flags, 2, (8L << 30) - 1, volume, epoch, 0),
                    Status.INVALID,
                    "2 bytes at 8589934591 of large");
            for (int length : new int[] {(1 << 30) + 1, -1}) {
                requireHint(
                        new Request(Operation.HINT, flags, length, 0, volume, epoch, 0),
                        Status.INVALID,
                        "1073741824 are the most");
            }
            requireHint(
                    new Request(Operation.HINT, flags, 1, -1, volume, epoch, 0), Status.INVALID, "1 bytes at -1 of");
            requireHint(new Request(Operation.HINT, flags, 1, 0, volume, epoch + 1, 0), Status.FENCED, "not attached");
        }
        honest.looks();
    }

    @Test
    void shouldReachNothingOfOthersAndHarmNobody_whateverItSays() throws Exception {
        int told = 0;
        int ended = 0;
        try (Logged logged = new Logged()) {
            for (long seed = 0; seed < Repeats.of(80); seed++) {
                Liar liar = new Liar(seed);
                try {
                    liar.lie();
                } catch (AssertionError | RuntimeException failed) {
                    throw new AssertionError("seed " + seed, failed);
                }
                told += liar.told;
                ended += liar.slots.reason.equals("it leaves") ? 0 : 1;
                honest.looks();
            }
            assertThat(logged.warnings()).as("faults").noneMatch(line -> line.contains("could not be"));
        }
        assertThat(told).as("so many answers that it says something").isGreaterThan(1000);
        assertThat(ended).as("connections that were ended").isGreaterThan(20);
    }
}
