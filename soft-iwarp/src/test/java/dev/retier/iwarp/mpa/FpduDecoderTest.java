package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.testbed.Seeds;
import dev.retier.iwarp.wire.Hex;
import dev.retier.testsupport.Seeded;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Framing (RFC 5044 sections 4.1 to 4.5). */
class FpduDecoderTest {
    private static byte[] fpdu(boolean crc, byte[] ulpdu) {
        TransmitBatch batch = new TransmitBatch();
        FpduEncoder encoder = new FpduEncoder(crc, false);
        encoder.begin(batch, ulpdu.length, ulpdu.length);
        encoder.copy().put(ulpdu);
        encoder.end();
        return Pipe.drain(batch);
    }

    private static FpduDecoder.Status feed(FpduDecoder decoder, byte[] bytes) {
        int at = 0;
        FpduDecoder.Status status = FpduDecoder.Status.NEED_MORE;
        while (at < bytes.length && status == FpduDecoder.Status.NEED_MORE) {
            ByteBuffer space = decoder.space();
            int count = Math.min(space.remaining(), bytes.length - at);
            space.put(bytes, at, count);
            at += count;
            status = decoder.next();
        }
        return status;
    }

    private static byte[] ulpdu(FpduDecoder decoder) {
        byte[] bytes = new byte[decoder.ulpduLength()];
        decoder.ulpduBuffer().get(decoder.ulpduOffset(), bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 64_767, 64_768})
    void shouldReturnUlpdu_whenLengthIsAnyOf(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        byte[] framed = fpdu(true, bytes);
        assertThat(framed.length % 4).isZero();
        FpduDecoder decoder = new FpduDecoder(true, false);
        assertThat(feed(decoder, framed)).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(ulpdu(decoder)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {64_769, 65_535})
    void shouldRefuse_whenLengthExceedsWhatSendersMayUse(int length) {
        byte[] bytes = {(byte) (length >> 8), (byte) length};
        assertThat(feed(new FpduDecoder(true, false), bytes)).isEqualTo(FpduDecoder.Status.MARKER_MISMATCH);
        assertThat(feed(new FpduDecoder(true, true), Hex.bytes("00000000" + Hex.of(bytes))))
                .isEqualTo(FpduDecoder.Status.MARKER_MISMATCH);
    }

    @Test
    void shouldNoticeEveryFlippedBit_whenCrcIsOn() {
        byte[] good = fpdu(true, Hex.bytes("41430000000000000000000000010000000068656c6c6f"));
        for (int bit = 16; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(feed(new FpduDecoder(true, false), bad)).isEqualTo(FpduDecoder.Status.CRC_MISMATCH);
        }
    }

    /** Every length up to the longest that fills a segment of TCP, and some beyond. */
    @Test
    void shouldNoticeAFlippedBit_whenUlpduHasAnyLength() {
        SplittableRandom random = new SplittableRandom(1400);
        for (int length = 1; length <= Fpdu.MAX_ULPDU; length += length < 1500 ? 1 : 4219) {
            byte[] bad = fpdu(true, new byte[length]);
            int bit = 16 + random.nextInt(8 * (bad.length - 2));
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(feed(new FpduDecoder(true, false), bad))
                    .as("%d bytes, bit %d", length, bit)
                    .isEqualTo(FpduDecoder.Status.CRC_MISMATCH);
        }
    }

    @Test
    void shouldIgnoreCrcField_whenCrcIsOff() {
        byte[] framed = fpdu(false, new byte[] {1, 2, 3});
        framed[framed.length - 1] ^= 1;
        assertThat(feed(new FpduDecoder(false, false), framed)).isEqualTo(FpduDecoder.Status.ULPDU);
    }

    @Seeded(tries = 30)
    void shouldReturnAllUlpdus_whenSegmentationIsRandom(SplittableRandom random) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 100 : Fpdu.MAX_ULPDU)];
            random.nextBytes(bytes);
            expected.add(bytes);
            stream.writeBytes(fpdu(true, bytes));
        }
        List<byte[]> pieces = new ArrayList<>();
        Seeds.split(stream.toByteArray(), random, pieces);
        FpduDecoder decoder = new FpduDecoder(true, false);
        List<byte[]> found = new ArrayList<>();
        for (byte[] piece : pieces) {
            int at = 0;
            while (at < piece.length) {
                ByteBuffer space = decoder.space();
                int count = Math.min(space.remaining(), piece.length - at);
                space.put(piece, at, count);
                at += count;
                while (decoder.next() == FpduDecoder.Status.ULPDU) {
                    found.add(ulpdu(decoder));
                }
            }
        }
        assertThat(found).usingElementComparator(java.util.Arrays::compare).isEqualTo(expected);
        assertThat(decoder.capacity()).isLessThanOrEqualTo(FpduDecoder.MAX_CAPACITY);
    }

    @ParameterizedTest
    @CsvSource({
        "1460,false,1454",
        "1460,true,1442",
        "1448,false,1442",
        "1448,true,1430",
        "65483,false,64768",
        "100,false,128"
    })
    void shouldFitOneSegment_whenEmssIs(int emss, boolean markers, int expected) {
        assertThat(Fpdu.mulpdu(emss, markers)).isEqualTo(expected);
    }
}
