package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume.Hint;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.PoolVolume;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client meets a block that the server's disk cannot read: it is one that is not what was written. */
@Timeout(60)
class UnreadBlockTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, (64 << 10) + Request.BYTES);
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    private static final int BYTES = 16 * BLOCK;

    @AutoClose
    private final MemoryServer server = new MemoryServer(SHAPE, Times.DEFAULT, Care.LEAST, System::nanoTime);

    private final int volume = server.pool.create(new VolumeName("accounts"), BYTES);
    private final Answer attached;
    private long sequence;
    private String why = "";

    /** Of which block 5 cannot be read. */
    UnreadBlockTest() throws IOException, InterruptedException {
        PoolVolume made = server.pool.volume(volume, 1);
        made.write(0, ByteBuffer.allocate(BYTES).put(0, (byte) 1));
        server.pool.checkpoint();
        made.hint(0, BYTES, Hint.WILL_NOT_NEED); // so that it comes from the disk
        server.disk.spoil("clusters", 5L * BLOCK);
        server.open("somebody");
        attached = server.attached("accounts");
    }

    private Answer ask(Operation operation, int flags, long offset, ByteBuffer data) throws InterruptedException {
        int length = data.remaining();
        ByteBuffer sent = operation == Operation.READ ? ByteBuffer.allocate(0) : data;
        server.slots.ask(0, new Request(operation, flags, length, offset, volume, attached.epoch(), ++sequence), sent);
        HeldSlots.Message told = server.told();
        Answer answer = Answer.parse(told.bytes(), told.slot()).orElseThrow();
        why = answer.status() == Status.DONE
                ? ""
                : StandardCharsets.US_ASCII
                        .decode(Answer.data(told.bytes()).orElseThrow())
                        .toString();
        return answer;
    }

    @Test
    void shouldMarkItsVolume_whenAReadMeetsIt() throws InterruptedException {
        assertThat(ask(Operation.READ, 0, 0, ByteBuffer.allocate(4 * BLOCK)).status())
                .isEqualTo(Status.DONE);
        assertThat(server.tally.damage(volume).isThere()).isFalse();

        Answer answer = ask(Operation.READ, 0, 0, ByteBuffer.allocate(16 * BLOCK));

        assertThat(answer.status()).isEqualTo(Status.IO_ERROR);
        assertThat(answer.value()).isEqualTo(Answer.ONE_BLOCK);
        assertThat(why).isEqualTo("block 5 of volume " + volume + " cannot be read: page 5 cannot be read");
        assertThat(server.tally.damage(volume).isThere()).isTrue();
        assertThat(server.tally.counted()).containsEntry(VolumeMetric.CHECKSUM_ERRORS_ON_DISK, 1L);
    }

    /** A part of it is to be written over what is there; its client's attachment goes on, as no flush has failed. */
    @Test
    void shouldFailAForcedWriteAlone_untilTheBlockIsWrittenAnew() throws InterruptedException {
        Answer answer = ask(Operation.WRITE, Request.FORCED, 5 * BLOCK + 100, ByteBuffer.allocate(8));
        assertThat(answer.status()).isEqualTo(Status.IO_ERROR);
        assertThat(answer.value()).isEqualTo(Answer.ONE_BLOCK);
        assertThat(server.tally.damage(volume).isThere()).isTrue();

        assertThat(ask(Operation.WRITE, Request.FORCED, 5 * BLOCK, ByteBuffer.allocate(BLOCK))
                        .status())
                .isEqualTo(Status.DONE);
        assertThat(ask(Operation.READ, 0, 0, ByteBuffer.allocate(16 * BLOCK)).status())
                .isEqualTo(Status.DONE);
    }
}
