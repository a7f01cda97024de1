package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.wire.TracedRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server tells of what is asked of a volume; by its clock no time passes, in which a recording could end. */
@Timeout(60)
class TracedVolumeTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final int READS = 400;

    @AutoClose
    private final MemoryServer server = new MemoryServer(SHAPE, Times.DEFAULT, Care.LEAST, () -> 0);

    private long sequence;

    TracedVolumeTest() throws IOException, InterruptedException {
        var _ = server.pool.create(new VolumeName("accounts"), 1 << 20);
        server.open("somebody");
    }

    private List<TracedRequest> traced(long from) throws InterruptedException {
        ByteBuffer name = ByteBuffer.wrap("accounts".getBytes(StandardCharsets.US_ASCII));
        server.slots.ask(0, new Request(Operation.TRACE, 0, 0, from, 0, 0, ++sequence), name);
        HeldSlots.Message told = server.told();
        return Answer.data(told.bytes()).flatMap(TracedRequest::all).orElseThrow();
    }

    @Test
    void shouldTellAsManyAsFitAnAnswer_andGoOnThere() throws InterruptedException {
        Answer volume = server.attached("accounts");
        assertThat(traced(-1)).isEmpty();
        for (int i = 0; i < READS; i++) {
            Request read = new Request(Operation.READ, 0, 1, i, volume.volume(), volume.epoch(), ++sequence);
            assertThat(server.ask(read, "").status()).isEqualTo(Status.DONE);
        }

        List<TracedRequest> all = new ArrayList<>(traced(0));
        assertThat(all).as("of 24 bytes each").hasSize(4096 / 24);
        for (List<TracedRequest> next = traced(all.size()); !next.isEmpty(); next = traced(all.size())) {
            all.addAll(next);
        }
        assertThat(all)
                .extracting(TracedRequest::offset)
                .containsExactlyElementsOf(LongStream.range(0, READS).boxed().toList());
    }
}
