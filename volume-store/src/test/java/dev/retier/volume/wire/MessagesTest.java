package dev.retier.volume.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.wire.Grant.Place;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final Request REQUEST = new Request(
            Operation.WRITE_PUSHED,
            Request.FORCED | Request.ATOMIC,
            0xFEDC,
            0x1000,
            0x0102_0304_0506_0708L,
            9,
            0x8000_0001,
            0x1112_1314_1516_1718L,
            0x2122_2324_2526_2728L,
            0x3132_3334,
            0x4142_4344);
    private static final Answer ANSWER =
            new Answer(0xFEDC, Status.NO_SPACE, 0x1112_1314_1516_1718L, 64, 0x8000_0001, 7);
    private static final Grant GRANT = new Grant(
            1, new UUID(2, 3), 64, 32, 65_536, 1 << 20, new Place(0x5152_5354L, 4), new Place(0x6162_6364L, 5));

    private static ByteBuffer encoded(Request request) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Request.BYTES);
        request.encode(bytes, Request.BYTES);
        return bytes.slice(Request.BYTES, Request.BYTES);
    }

    private static ByteBuffer encoded(Answer answer) {
        ByteBuffer bytes = ByteBuffer.allocate(Answer.BYTES);
        answer.encode(bytes, 0);
        return bytes;
    }

    private static byte[] bytes(ByteBuffer from) {
        byte[] all = new byte[from.remaining()];
        from.get(from.position(), all);
        return all;
    }

    private static String hex(ByteBuffer from, int offset, int length) {
        return HexFormat.of().formatHex(bytes(from.slice(offset, length)));
    }

    @Test
    void shouldLieWhereItIsSaid() {
        ByteBuffer request = encoded(REQUEST);
        assertThat(hex(request, 0, 16)).isEqualTo("0509dcfe00100000" + "0807060504030201");
        assertThat(hex(request, 16, 16)).isEqualTo("0900000001000080" + "1817161514131211");
        assertThat(hex(request, 32, 12)).isEqualTo("2827262524232221" + "34333231");
        assertThat(hex(request, 48, 16)).isEqualTo("4443424100000000" + "0000000000000000");

        ByteBuffer answer = encoded(ANSWER);
        assertThat(hex(answer, 0, 4)).isEqualTo("dcfe0200");
        assertThat(hex(answer, 8, 24)).isEqualTo("1817161514131211" + "4000000001000080" + "0700000000000000");

        assertThat(HexFormat.of().formatHex(GRANT.encode()))
                .isEqualTo("0100000000000000" + "0200000000000000" + "0300000000000000" + "40000000" + "20000000"
                        + "00000100" + "00001000" + "5453525100000000" + "04000000" + "05000000"
                        + "6463626100000000");
    }

    @Test
    void shouldBeReadAsItWasWritten() {
        assertThat(Request.parse(encoded(REQUEST), 0)).contains(REQUEST);
        assertThat(Answer.parse(encoded(ANSWER), 0)).contains(ANSWER);
        assertThat(Grant.parse(ByteBuffer.wrap(GRANT.encode()))).contains(GRANT);
        assertThat(Grant.parse(ByteBuffer.wrap(GRANT.encode(), 0, Grant.BYTES - 1)))
                .isEmpty();
    }

    @Test
    void shouldBeRefused_whateverBitIsAnother() {
        for (int bit = 0; bit < Request.BYTES * 8; bit++) {
            ByteBuffer changed = flipped(encoded(REQUEST), bit);
            assertThat(Request.parse(changed, 0)).as("bit %d", bit).isEmpty();
        }
        for (int bit = 0; bit < Answer.BYTES * 8; bit++) {
            ByteBuffer changed = flipped(encoded(ANSWER), bit);
            assertThat(Answer.parse(changed, 0)).as("bit %d", bit).isEmpty();
        }
    }

    private static ByteBuffer flipped(ByteBuffer bytes, int bit) {
        return bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
    }

    @Test
    void shouldNeverThrow_whateverComes() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[Request.BYTES];
            random.nextBytes(bytes);
            assertThat(Request.parse(ByteBuffer.wrap(bytes), 0)).isEmpty();
            assertThat(Answer.parse(ByteBuffer.wrap(bytes), 0)).isEmpty();
            var _ = Grant.parse(ByteBuffer.wrap(bytes));
        }
    }

    @Test
    void shouldBeWithinTheVolumeOrNot() {
        assertThat(range(0, 100).isWithin(100)).isTrue();
        assertThat(range(100, 0).isWithin(100)).isTrue();
        assertThat(range(1, 100).isWithin(100)).isFalse();
        assertThat(range(-1, 1).isWithin(100)).isFalse();
        assertThat(range(0, -1).isWithin(100)).isFalse();
        assertThat(range(Long.MAX_VALUE, Integer.MAX_VALUE).isWithin(100)).isFalse();
    }

    private static Request range(long offset, int length) {
        return new Request(Operation.READ, 0, 0, length, offset, 1, 1, 1, 0, 0, 0);
    }

    @Test
    void shouldRefuseWhatNoServerGrants() {
        Place nowhere = new Place(0, 0);
        assertThatThrownBy(() -> new Grant(1, new UUID(2, 3), 0, 0, 0, 1, nowhere, nowhere))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Grant(1, new UUID(2, 3), 4, 5, 0, 1, nowhere, nowhere))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
