package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

class TransmitBatchTest {
    /** TCP takes as much as it likes: what is left is kept, and more may be added behind it. */
    @Seeded(tries = 100)
    void shouldLoseNothing_whenTcpTakesPartOfIt(SplittableRandom random) {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        TransmitBatch batch = new TransmitBatch();
        for (int i = 0; i < 50; i++) {
            fill(batch, random, expected);
            take(batch, random, sent);
        }
        while (!batch.isEmpty()) {
            take(batch, random, sent);
        }
        assertThat(sent.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(batch.capacity()).isLessThanOrEqualTo(1 << 19);
    }

    /** A segment of very many scatter/gather elements. */
    @Seeded(tries = 5)
    void shouldKeepOrder_whenPiecesAreMany(SplittableRandom random) {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        TransmitBatch batch = new TransmitBatch();
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(1, 50)];
            random.nextBytes(bytes);
            expected.writeBytes(bytes);
            if (i % 2 == 0) {
                batch.append(bytes);
            } else {
                batch.refer(ByteBuffer.wrap(bytes));
            }
        }
        assertThat(batch.isFull()).isTrue();
        assertThat(Pipe.drain(batch)).isEqualTo(expected.toByteArray());
        assertThat(batch.isEmpty()).isTrue();
    }

    private static void fill(TransmitBatch batch, SplittableRandom random, ByteArrayOutputStream expected) {
        for (int i = random.nextInt(4); i > 0 && !batch.isFull(); i--) {
            byte[] bytes = new byte[random.nextInt(3000)];
            random.nextBytes(bytes);
            expected.writeBytes(bytes);
            if (random.nextBoolean()) {
                batch.append(bytes);
            } else {
                batch.refer(ByteBuffer.wrap(bytes));
            }
        }
    }

    private static void take(TransmitBatch batch, SplittableRandom random, ByteArrayOutputStream sent) {
        sent.writeBytes(Pipe.take(batch, random.nextInt(6000)));
    }
}
