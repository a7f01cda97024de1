package dev.retier.traces.worldcup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.RequestMethod;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WorldCupRecordTest {
    /** 30 Apr 1998 21:30:17 UTC, client 34600, object 123, 24736 bytes, GET, HTTP/1.0 200, image, Plano server 0. */
    private static final byte[] IMAGE =
            HexFormat.of().parseHex("3548ed79" + "00008728" + "0000007b" + "000060a0" + "00420120");

    @Test
    void shouldReadEveryFieldAtItsOffset_whenBytesAreLiteral() {
        WorldCupRecord wc = WorldCupRecord.parse(IMAGE, 0);

        assertThat(wc).isEqualTo(new WorldCupRecord(893971833, 34600, 123, 24736, 0, 0x42, 1, 32));
        assertThat(wc.problem()).isNull();
        assertThat(WorldCupRecord.isOk(IMAGE, 0)).isTrue();
        assertThat(WorldCupRecord.isNotModified(IMAGE, 0)).isFalse();
        assertThat(wc.requestMethod()).isEqualTo(RequestMethod.GET);
    }

    @Test
    void shouldReadUnsigned_whenHighBitsAreSet() {
        byte[] bytes = HexFormat.of().parseHex("ffffffff" + "fffffffe" + "80000000" + "ffffffff" + "084d0c7f");

        WorldCupRecord wc = WorldCupRecord.parse(bytes, 0);

        assertThat(wc.timestampSeconds()).isEqualTo(4294967295L);
        assertThat(wc.clientId()).isEqualTo(4294967294L);
        assertThat(wc.objectId()).isEqualTo(2147483648L);
        assertThat(wc.sizeBytes()).isEqualTo(WorldCupRecord.NO_SIZE);
        assertThat(WorldCupRecord.isNotModified(bytes, 0)).isTrue();
        assertThat(wc.requestMethod()).isEqualTo(RequestMethod.OTHER);
        assertThat(wc.problem()).isNull();
    }

    @Test
    void shouldNameTheField_whenItIsOutOfRange() {
        assertThat(withCodes(9, 0, 0, 0).problem()).isEqualTo("method 9 is not 0..8");
        assertThat(withCodes(8, 0xC0 | 38, 0, 0).problem()).isEqualTo("status index 38 is not 0..37");
        assertThat(withCodes(8, 0xC0 | 37, 13, 0).problem()).isEqualTo("type 13 is not 0..12");
        assertThat(withCodes(8, 0xC0 | 37, 12, 0x80).problem()).isEqualTo("region 4 is not 0..3");
        assertThat(withCodes(8, 0xC0 | 37, 12, 0x7F).problem()).isNull();
    }

    @Seeded(tries = 200)
    void shouldWriteTheSameBytes_whenReadAndWrittenBack(SplittableRandom random) {
        byte[] bytes = new byte[WorldCupRecord.LENGTH_BYTES + 3];
        random.nextBytes(bytes);
        byte[] copy = bytes.clone();

        WorldCupRecord wc = WorldCupRecord.parse(bytes, 3);
        wc.emit(copy, 3);

        assertThat(copy).isEqualTo(bytes);
        assertThat(WorldCupRecord.isSound(bytes, 3)).isEqualTo(wc.problem() == null);
    }

    private static WorldCupRecord withCodes(int method, int status, int type, int server) {
        return new WorldCupRecord(0, 0, 0, 0, method, status, type, server);
    }
}
