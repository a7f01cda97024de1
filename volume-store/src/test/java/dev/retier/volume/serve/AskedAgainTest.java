package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose connection broke before the answer came, and what it asks by the next one. */
@Timeout(60)
class AskedAgainTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final VolumeName VOLUME = new VolumeName("accounts");
    private static final VolumeName BEFORE = new VolumeName("before");
    private static final VolumeName CLONE = new VolumeName("clone");

    @AutoClose
    private final MemoryServer server = new MemoryServer(SHAPE, Times.DEFAULT, Care.LEAST, System::nanoTime);

    private final int volume = server.pool.create(VOLUME, 1 << 20);
    private final Workings workings = server.workings;

    AskedAgainTest() throws IOException, InterruptedException {
        server.open("somebody");
    }

    private Status ask(Operation operation, long sequence, String text) throws InterruptedException {
        return server.ask(new Request(operation, 0, 0, 0, 0, 0, sequence), text).status();
    }

    /** Asks, is not told, and asks again; then as another one, who is told that it is so already. */
    private void again(Operation operation, long sequence, String text) throws InterruptedException {
        assertThat(ask(operation, sequence, text)).isEqualTo(Status.DONE);
        server.connectAgain();
        server.open("somebody");
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
        assertThat(server.pool.catalogue().numberOf(CLONE)).isPresent();
        assertThat(server.pool.catalogue().hasSnapshots(volume)).isFalse();
    }

    /** It would have the volume, though its client has asked by another connection since, and may have got it. */
    @Test
    void shouldTakeNothing_whenItsConnectionIsOver() {
        ServedClient over = server.client();
        workings.uses.connected(over);
        workings.uses.lost(over, Set.of());
        assertThatThrownBy(() -> workings.uses.attach(volume, new Wish(MemoryServer.LIFE, false), over))
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
        ServedClient over = server.client();
        over.abort("the connection broke");
        Request late = new Request(Operation.CREATE, 0, 0, 1 << 20, 0, 0, 1);
        workings.management.take(
                new Asked(over, 0, late, server.tally, 0), ByteBuffer.wrap("late".getBytes(StandardCharsets.US_ASCII)));
        workings.management.close();
        assertThat(server.pool.catalogue().numberOf(new VolumeName("late"))).isEmpty();
    }

    /** It waited in the old connection's line, while its client came by another one. */
    @Test
    void shouldServeTheNewerConnection_whenTheOldOneIsOpenedLate() throws InterruptedException {
        ServedClient before = server.client();
        ServedClient now = server.client();
        workings.uses.connected(now);
        workings.uses.connected(before);
        assertThat(workings.uses.read(volume, now).isForReading()).isTrue();
        assertThatThrownBy(() -> workings.uses.read(volume, before)).hasMessage("its connection is over");
        workings.uses.lost(before, Set.of());
        assertThat(workings.uses.read(volume, now).isForReading()).isTrue();
        assertThat(workings.uses.readers(volume)).hasSize(2).containsOnly(now.name());
    }

    /** Its client was not told either; what it asked for may be possible meanwhile. */
    @Test
    void shouldSayThatItWasRefusedOrDoIt_whenTheAnswerThatWasLostWasNo() throws IOException, InterruptedException {
        String clone = Names.text(VOLUME, BEFORE, CLONE);
        for (int again = 0; again < 2; again++) {
            assertThat(ask(Operation.CLONE, 1, clone)).isEqualTo(Status.WRONG_NAME);
            server.connectAgain();
            server.open("somebody");
        }
        assertThat(server.pool.catalogue().numberOf(CLONE)).isEmpty();
        var _ = server.pool.snapshot(volume, BEFORE);
        assertThat(ask(Operation.CLONE, 1, clone)).isEqualTo(Status.DONE);
        assertThat(server.pool.catalogue().numberOf(CLONE)).isPresent();
    }
}
