package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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

    /** FPDUs that fit a segment lie within runs that do, however much TCP takes meanwhile. */
    @Seeded(tries = 100)
    void shouldConsistOfRunsThatFitSegments_whenFpdusAreToLieWithin(SplittableRandom random) {
        int segment = random.nextInt(200, 3000);
        TransmitBatch batch = new TransmitBatch();
        batch.keepWithin(segment);
        FpduEncoder encoder = new FpduEncoder(false, false);
        List<Integer> due = new ArrayList<>();
        int sentOfRun = 0;
        for (int i = 0; i < 200; i++) {
            int payload = random.nextInt(Fpdu.mulpdu(segment, false) + 1);
            encoder.begin(batch, payload, payload);
            encoder.copy().put(new byte[payload]);
            encoder.end();
            due.add(Fpdu.totalLength(payload));
            if (random.nextInt(5) == 0) {
                sentOfRun = send(batch, random, due, sentOfRun);
                assertThat(sentOfRun).isLessThan(segment);
            }
        }
    }

    @Test
    void shouldForgetWhereRunsEnded_onceItWasWritten() {
        TransmitBatch batch = new TransmitBatch();
        batch.keepWithin(1000);
        batch.append(new byte[10]);
        Pipe.drain(batch);
        FpduEncoder encoder = new FpduEncoder(false, false);
        encoder.begin(batch, 500, 0);
        encoder.refer(ByteBuffer.allocate(500));
        encoder.end();
        assertThat(batch.pieces()).isNotEmpty();
        assertThat(batch.pieceCount()).as("head, payload, and what is behind").isEqualTo(3);
        assertThat(batch.runEnd(0)).isEqualTo(batch.pieceCount());
    }

    /** Sends runs whole, and perhaps a part of the next. Returns how much of that was sent, with what was before. */
    private static int send(TransmitBatch batch, SplittableRandom random, List<Integer> due, int sentBefore) {
        ByteBuffer[] pieces = batch.pieces();
        int end = batch.firstPiece() + batch.pieceCount();
        int sent = sentBefore;
        for (int from = batch.firstPiece(); from < end; from = batch.runEnd(from)) {
            int bytes = Arrays.stream(pieces, from, batch.runEnd(from))
                    .mapToInt(ByteBuffer::remaining)
                    .sum();
            int part = random.nextInt(4) == 0 ? random.nextInt(bytes) : bytes;
            take(pieces, from, part);
            sent += part;
            if (part < bytes) {
                batch.written();
                return sent;
            }
            while (sent > 0) {
                sent -= due.removeFirst();
            }
            assertThat(sent).as("a run ends within an FPDU").isZero();
        }
        batch.written();
        return 0;
    }

    private static void take(ByteBuffer[] pieces, int from, int bytes) {
        int left = bytes;
        for (int i = from; left > 0; i++) {
            int here = Math.min(left, pieces[i].remaining());
            pieces[i].position(pieces[i].position() + here);
            left -= here;
        }
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
