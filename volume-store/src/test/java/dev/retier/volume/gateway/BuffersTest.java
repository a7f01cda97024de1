package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BuffersTest {
    private static final int ALL = 64 << 10;

    private final Buffers buffers = new Buffers(ALL);
    private final Buffers.Share share = new Buffers.Share();

    @Test
    void shouldGiveAsMuchAsWasAskedFor() throws InterruptedException {
        for (int length : new int[] {0, 1, 4096, 4097, 8192, 40_000, ALL}) {
            try (Buffers.Piece piece = buffers.take(length, share, () -> {})) {
                assertThat(piece.bytes().remaining()).isEqualTo(length);
                assertThat(piece.bytes().isDirect()).isTrue();
            }
        }
    }

    /** Whoever keeps what he has stops himself, and nobody who asks for little. */
    @Test
    void shouldGiveEachClientOne_whenThereIsNoRoom() throws Exception {
        Buffers.Piece all = buffers.take(ALL, share, () -> {});
        Buffers.Piece first = buffers.take(Buffers.Share.BYTES, share, () -> {});
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Integer> second = later(4096, share, waits);
        assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
        try (Buffers.Piece another = buffers.take(4096, new Buffers.Share(), () -> {})) {
            assertThat(another.bytes().remaining()).isEqualTo(4096);
        }
        assertThat(second).isNotDone();

        first.close();

        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(4096);
        all.close();
        assertThat(later(ALL, share, waits).get(10, TimeUnit.SECONDS)).isEqualTo(ALL);
    }

    @Test
    void shouldWait_whenThereIsNoRoomForWhatIsLong() throws Exception {
        Buffers large = new Buffers(4L * Buffers.Share.BYTES);
        Buffers.Piece all = large.take(4 * Buffers.Share.BYTES, share, () -> {});
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Integer> other = later(large, 1 + Buffers.Share.BYTES, new Buffers.Share(), waits);
        assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(other).isNotDone();

        all.close();

        assertThat(other.get(10, TimeUnit.SECONDS)).isEqualTo(1 + Buffers.Share.BYTES);
    }

    private CompletableFuture<Integer> later(int length, Buffers.Share share, CountDownLatch waits) {
        return later(buffers, length, share, waits);
    }

    private static CompletableFuture<Integer> later(
            Buffers from, int length, Buffers.Share share, CountDownLatch waits) {
        return CompletableFuture.supplyAsync(() -> {
            try (Buffers.Piece piece = from.take(length, share, waits::countDown)) {
                return piece.bytes().remaining();
            } catch (InterruptedException e) {
                return -1;
            }
        });
    }
}
