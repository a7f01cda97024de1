package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

class SlotConcurrencyTest {
    private static final int WHOLE_READS = 50_000;

    /** A writer that the system stops in mid-write makes every read torn until it runs again. */
    private static final long MAX_READS = 200_000_000;

    private final SlotFixture slot = new SlotFixture();

    @Seeded(tries = 3)
    void shouldReadWholeRecordsInOrder_whenTheWriterNeverRests(SplittableRandom random)
            throws InterruptedException, ExecutionException {
        AtomicBoolean stop = new AtomicBoolean();
        long first = random.nextLong(1, 1000);
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> writing = threads.submit(() -> writeUntil(stop, first));
            try {
                assertThat(readWhole(first)).isEqualTo(WHOLE_READS);
            } finally {
                stop.set(true);
            }
            writing.get();
        }
    }

    private void writeUntil(AtomicBoolean stop, long first) {
        for (long number = first; !stop.get(); number++) {
            slot.writer.publish(SlotFixture.numbered(number));
        }
    }

    private long readWhole(long first) {
        long whole = 0;
        long newest = 0;
        MemorySegment copy = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES);
        for (long read = 0; read < MAX_READS && whole < WHOLE_READS; read++) {
            if (slot.parseInto(copy) instanceof SlotImage.Whole image) {
                whole++;
                assertThat(image.load()).isEqualTo(SlotFixture.numbered(first + image.heartbeat() - 1));
                assertThat(image.heartbeat()).isGreaterThanOrEqualTo(newest);
                newest = image.heartbeat();
            }
        }
        return whole;
    }
}
