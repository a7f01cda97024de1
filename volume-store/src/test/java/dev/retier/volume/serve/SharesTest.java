package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a volume gets of a disk thread that others want as well. */
@Timeout(30)
class SharesTest {
    private static final int LENGTH = 64 << 10;
    private static final int EACH = 12;
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(2 * EACH, LENGTH + Request.BYTES);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Has two volumes, each with its priority, and a client that has said who it is. */
    private static MemoryServer server(Map<VolumeName, Integer> priorities) throws IOException, InterruptedException {
        Care care = new Care(false, 0, Duration.ofDays(1), priorities);
        MemoryServer server = new MemoryServer(SHAPE, Times.DEFAULT, care, () -> 0);
        var _ = server.pool.create(new VolumeName("archive"), 8 << 20);
        var _ = server.pool.create(new VolumeName("accounts"), 8 << 20);
        server.open("somebody");
        return server;
    }

    /** Asked for by one client while the thread is busy, first all of one volume and then all of the other. */
    private static List<Integer> orderOfVolumes(Map<VolumeName, Integer> priorities)
            throws IOException, InterruptedException {
        try (MemoryServer server = server(priorities)) {
            List<Answer> both = List.of(server.attached("archive"), server.attached("accounts"));
            server.keepBusy();
            for (int slot = 0; slot < 2 * EACH; slot++) {
                Answer volume = both.get(slot / EACH);
                long offset = (long) (slot % EACH) * LENGTH;
                server.slots.ask(
                        slot,
                        new Request(Operation.WRITE, 0, LENGTH, offset, volume.volume(), volume.epoch(), 1 + slot),
                        ByteBuffer.allocate(LENGTH));
            }
            server.mayBegin.countDown();
            List<Integer> order = new ArrayList<>();
            while (order.size() < 2 * EACH) {
                order.add(server.told().slot() / EACH);
            }
            return order;
        }
    }

    @Test
    void shouldEndTheConnection_whenARequestIsAnotherOneWhenItsTurnComes() throws IOException, InterruptedException {
        try (MemoryServer server = server(Map.of())) {
            Answer volume = server.attached("archive");
            server.keepBusy();
            Request little = new Request(Operation.READ, 0, 512, 0, volume.volume(), volume.epoch(), 7);
            server.slots.ask(3, new Request(Operation.ZERO, 0, 512, 0, little.volume(), little.epoch(), 7), NOTHING);
            server.slots.put(3, into -> little.encode(into, 3, 0));
            server.mayBegin.countDown();
            await().until(server.slots::isOver);
            assertThat(server.slots.reason).contains("has changed since");
        }
    }

    @Test
    void shouldTakeTurns_whenOneClientAsksForTwoVolumes() throws IOException, InterruptedException {
        List<Integer> first = orderOfVolumes(Map.of()).subList(0, EACH);
        assertThat(first.stream().filter(volume -> volume == 1)).hasSizeBetween(EACH / 2 - 2, EACH / 2 + 2);
    }

    @Test
    void shouldGetThreeTimesAsMuch_whenTheOthersPriorityIsThree() throws IOException, InterruptedException {
        List<Integer> first =
                orderOfVolumes(Map.of(new VolumeName("archive"), 3)).subList(0, EACH);
        assertThat(first.stream().filter(volume -> volume == 1)).hasSizeBetween(8, 10);
    }
}
