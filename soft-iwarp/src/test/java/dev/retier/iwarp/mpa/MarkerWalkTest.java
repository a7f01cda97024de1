package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walk that tshark checked: Sends of these sizes, with markers (RFC 5044 section 4.3). */
class MarkerWalkTest {
    private static final int[] SIZES = {24, 430, 24, 1000, 0, 5, 497};

    private static byte[] walk(List<Integer> ends) {
        FpduEncoder encoder = new FpduEncoder(true, true);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < SIZES.length; i++) {
            TransmitBatch batch = new TransmitBatch();
            Segment segment = new Segment().untagged(RdmapOpcode.SEND, i + 1, 0, true);
            encoder.begin(batch, segment.headerLength() + SIZES[i], segment.headerLength() + SIZES[i]);
            segment.emit(encoder.headerBuffer(), encoder.headerAt());
            encoder.headerWritten(segment.headerLength());
            encoder.copy().put(new byte[SIZES[i]]);
            encoder.end();
            stream.writeBytes(Pipe.drain(batch));
            ends.add(stream.size());
        }
        return stream.toByteArray();
    }

    @Test
    void shouldEndWhereTsharkSaysAndPointBack_whenMarkersAreOn() {
        List<Integer> ends = new ArrayList<>();
        ByteBuffer stream = ByteBuffer.wrap(walk(ends));
        assertThat(ends).containsExactly(52, 508, 560, 1592, 1616, 1648, 2176);
        List<Integer> pointers = new ArrayList<>();
        for (int at = 0; at < stream.capacity(); at += 512) {
            pointers.add((int) stream.getShort(at + 2));
        }
        assertThat(pointers).containsExactly(0, 4, 464, 976, 400);
    }

    @Test
    void shouldStripEveryMarker_whenReceivedByteByByte() {
        byte[] stream = walk(new ArrayList<>());
        FpduDecoder decoder = new FpduDecoder(true, true);
        List<Integer> payloads = new ArrayList<>();
        for (byte b : stream) {
            decoder.space().put(b);
            if (decoder.next() == FpduDecoder.Status.ULPDU) {
                payloads.add(decoder.ulpduLength() - 18);
            }
        }
        assertThat(payloads).containsExactly(24, 430, 24, 1000, 0, 5, 497);
    }

    @Test
    void shouldReportMarker_whenItPointsElsewhere() {
        byte[] stream = walk(new ArrayList<>());
        stream[512 + 3] ^= 8;
        FpduDecoder decoder = new FpduDecoder(true, true);
        decoder.space().put(stream);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.MARKER_MISMATCH);
    }

    /** RFC 5044 section 4.4: the CRC covers the markers, too, and is looked at if CRCs are on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 51})
    void shouldReportCrc_whenByteIsDamaged(int at) {
        byte[] stream = walk(new ArrayList<>());
        stream[at] ^= 1;
        FpduDecoder decoder = new FpduDecoder(true, true);
        decoder.space().put(stream);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.CRC_MISMATCH);
        FpduDecoder careless = new FpduDecoder(false, true);
        careless.space().put(stream);
        assertThat(careless.next()).isEqualTo(FpduDecoder.Status.ULPDU);
    }
}
