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

    @Test
    void shouldGiveAsMuchAsWasAskedFor() throws InterruptedException {
        for (int length : new int[] {0, 1, 4096, 4097, 8192, 40_000, ALL}) {
            try (Buffers.Piece piece = buffers.take(length, () -> {})) {
                assertThat(piece.bytes().remaining()).isEqualTo(length);
                assertThat(piece.bytes().isDirect()).isTrue();
            }
        }
    }

    @Test
    void shouldWait_whenThereIsNoRoom() throws Exception {
        Buffers.Piece half = buffers.take(ALL / 2, () -> {});
        Buffers.Piece other = buffers.take(ALL / 2, () -> {});
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Integer> third = CompletableFuture.supplyAsync(() -> {
            try (Buffers.Piece piece = buffers.take(4096, waits::countDown)) {
                return piece.bytes().remaining();
            } catch (InterruptedException e) {
                return -1;
            }
        });
        assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(third).isNotDone();

        half.close();

        assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo(4096);
        other.close();
    }
}
