package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose connection broke before the answer came, and what it asks by the next one. */
@Timeout(60)
class AskedAgainTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final VolumeName VOLUME = new VolumeName("accounts");
    private static final VolumeName BEFORE = new VolumeName("before");
    private static final VolumeName CLONE = new VolumeName("clone");
    private static final long LIFE = 7;

    private final Tally tally = new Tally(ServerListener.NONE);
    private final Pool pool;
    private final Workings workings;
    private final int volume;
    private HeldSlots slots = new HeldSlots(SHAPE);

    AskedAgainTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, new Pool.Limits(1 << 20, 64L << 20), Runnable::run);
        volume = pool.create(VOLUME, 1 << 20);
        ServerConfig.Limits limits = new ServerConfig.Limits(SHAPE.count(), SHAPE.bytes(), 8, 2);
        workings = new Workings(
                pool,
                new Workings.Settings(limits, ServerConfig.Times.DEFAULT, ServerConfig.Care.LEAST),
                tally,
                new Means(Thread.ofVirtual().factory(), System::nanoTime));
    }

    @BeforeEach
    void connect() throws InterruptedException {
        slots.end("the connection broke");
        slots = new HeldSlots(SHAPE);
        slots.use(client(slots));
        assertThat(ask(Operation.OPEN, 0, "somebody")).isEqualTo(Status.DONE);
    }

    private ServedClient client(HeldSlots by) {
        return new ServedClient(LIFE, by, workings.service, _ -> {});
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        slots.end("the test is over");
        workings.close();
        pool.close();
    }

    private Status ask(Operation operation, long sequence, String text) throws InterruptedException {
        Request request = new Request(operation, 0, 0, 0, 0, 0, sequence);
        slots.ask(0, request, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        HeldSlots.Message told = Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS), slots.reason);
        return Answer.parse(told.bytes(), 0).orElseThrow().status();
    }

    /** Asks, is not told, and asks again; then as another one, who is told that it is so already. */
    private void again(Operation operation, long sequence, String text) throws InterruptedException {
        assertThat(ask(operation, sequence, text)).isEqualTo(Status.DONE);
        connect();
        assertThat(ask(operation, sequence, text)).as("%s, again", operation).isEqualTo(Status.DONE);
        assertThat(ask(operation, sequence + 100, text))
                .as("%s, by another", operation)
                .isNotEqualTo(Status.DONE);
    }

    @Test
    void shouldSayThatItWasDone_whenTheAnswerWasLost() throws InterruptedException {
        again(Operation.SNAPSHOT, 1, Names.text(VOLUME, BEFORE));
        again(Operation.CLONE, 2, Names.text(VOLUME, BEFORE, CLONE));
        again(Operation.ROLL_BACK, 3, Names.text(VOLUME, BEFORE));
        again(Operation.DELETE_SNAPSHOT, 4, Names.text(VOLUME, BEFORE));
        assertThat(pool.catalogue().numberOf(CLONE)).isPresent();
        assertThat(pool.catalogue().hasSnapshots(volume)).isFalse();
    }

    /** It would have the volume, though its client has asked by another connection since, and may have got it. */
    @Test
    void shouldTakeNothing_whenItsConnectionIsOver() {
        ServedClient over = client(new HeldSlots(SHAPE));
        workings.uses.connected(over);
        workings.uses.lost(over, Set.of());
        assertThatThrownBy(() -> workings.uses.attach(volume, new Wish(LIFE, false), over))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(Status.BUSY))
                .hasMessage("its connection is over");
        assertThatThrownBy(() -> workings.uses.read(volume, over)).hasMessage("its connection is over");
        assertThat(workings.uses.writers()).isEmpty();
        assertThat(workings.uses.readers(volume)).isEmpty();
    }

    /** Its client has been told by another connection, and has done something else since. */
    @Test
    void shouldDoNothingLate_whenItsConnectionIsOver() throws InterruptedException {
        ServedClient over = client(new HeldSlots(SHAPE));
        over.abort("the connection broke");
        Request late = new Request(Operation.CREATE, 0, 0, 1 << 20, 0, 0, 1);
        workings.management.take(
                new Asked(over, 0, late, tally, 0), ByteBuffer.wrap("late".getBytes(StandardCharsets.US_ASCII)));
        workings.management.close();
        assertThat(pool.catalogue().numberOf(new VolumeName("late"))).isEmpty();
    }

    /** It waited in the old connection's line, while its client came by another one. */
    @Test
    void shouldServeTheNewerConnection_whenTheOldOneIsOpenedLate() throws InterruptedException {
        ServedClient before = client(new HeldSlots(SHAPE));
        ServedClient now = client(new HeldSlots(SHAPE));
        workings.uses.connected(now);
        workings.uses.connected(before);
        assertThat(workings.uses.read(volume, now).isForReading()).isTrue();
        assertThatThrownBy(() -> workings.uses.read(volume, before)).hasMessage("its connection is over");
        workings.uses.lost(before, Set.of());
        assertThat(workings.uses.read(volume, now).isForReading()).isTrue();
        assertThat(workings.uses.readers(volume)).hasSize(2).containsOnly(now.name());
    }
}
