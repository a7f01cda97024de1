package dev.retier.volume.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.nbd.NbdRequest.Command;
import dev.retier.volume.nbd.Negotiation.Agreed;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NbdRequestTest {
    private static final Agreed PLAIN = new Agreed(new Export("accounts", 10_000, false), false, false);
    private static final Agreed FULL = new Agreed(new Export("accounts", 10_000, false), true, true);

    private static NbdRequest request(int type, int flags, long offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(NbdRequest.BYTES)
                .putInt(0x2560_9513)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(7)
                .putLong(offset)
                .putInt(length)
                .flip();
        return NbdRequest.parse(bytes).orElseThrow();
    }

    private static String hex(ByteBuffer bytes) {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        return HexFormat.of().formatHex(all);
    }

    @Test
    void shouldReadAllItsFields() {
        assertThat(request(1, 1, 4096, 512))
                .isEqualTo(new NbdRequest(Optional.of(Command.WRITE), 1, 7, 4096, 512))
                .returns(512L, NbdRequest::bytesAfter)
                .returns(true, NbdRequest::isForced);
        assertThat(NbdRequest.parse(ByteBuffer.allocate(NbdRequest.BYTES))).isEmpty();
    }

    @Test
    void shouldTakeWhatIsInTheExport() {
        assertThat(request(0, 0, 9_000, 1_000).refusal(PLAIN)).isEmpty();
        assertThat(request(1, 1, 0, 10_000).refusal(PLAIN)).isEmpty();
        assertThat(request(3, 0, 0, 0).refusal(PLAIN)).isEmpty();
        assertThat(request(3, 1, 0, 0).refusal(PLAIN)).as("FUA goes with all").isEmpty();
        assertThat(request(4, 1, 0, 10_000).refusal(PLAIN)).isEmpty();
        assertThat(request(6, 3, 10_000, 0).refusal(PLAIN)).isEmpty();
        assertThat(request(7, 8, 0, 10_000).refusal(FULL)).isEmpty();
    }

    @Test
    void shouldPermitNoChange_ofWhatIsToBeRead() {
        Export export = new Export("accounts", 10_000, true);
        Agreed agreed = new Agreed(export, true, true);
        for (int type : new int[] {1, 4, 6}) {
            assertThat(request(type, 0, 0, 1).refusal(agreed)).contains(NbdError.NOT_PERMITTED);
        }
        for (int type : new int[] {0, 3, 5, 7}) {
            assertThat(request(type, 0, 0, type == 3 ? 0 : 1).refusal(agreed)).isEmpty();
        }
        assertThat(export.flags(true))
                .as("READ_ONLY, FLUSH, DF, MULTI_CONN, CACHE; no FUA, TRIM, WRITE_ZEROES")
                .isEqualTo((short) 0b101_1000_0111);
    }

    @Test
    void shouldRefuseWhatIsNot() {
        assertThat(request(0, 0, 9_000, 1_001).refusal(PLAIN)).contains(NbdError.INVALID);
        assertThat(request(0, 0, -1, 1).refusal(PLAIN)).contains(NbdError.INVALID);
        assertThat(request(0, 0, Long.MIN_VALUE, 1).refusal(PLAIN)).contains(NbdError.INVALID);
        assertThat(request(0, 0, 0, 0).refusal(PLAIN)).contains(NbdError.INVALID);
        assertThat(request(1, 0, 9_000, 1_001).refusal(PLAIN)).contains(NbdError.NO_SPACE);
        assertThat(request(1, 0, 0, -1).refusal(PLAIN)).contains(NbdError.INVALID);
        assertThat(request(7, 0, 0, 10).refusal(PLAIN)).as("never agreed on").contains(NbdError.INVALID);
        assertThat(request(8, 0, 0, 0).refusal(FULL)).as("unknown").contains(NbdError.INVALID);
        assertThat(request(5, 0, 9_999, 2).refusal(FULL))
                .as("more than there is")
                .contains(NbdError.INVALID);
        assertThat(request(5, 2, 0, 1).refusal(FULL)).as("unknown flag").contains(NbdError.INVALID);
        assertThat(request(3, 2, 0, 0).refusal(FULL)).as("unknown flag").contains(NbdError.INVALID);
        assertThat(request(4, 0, 9_000, 1_001).refusal(FULL)).contains(NbdError.INVALID);
        assertThat(request(6, 16, 0, 10).refusal(FULL)).as("not offered").contains(NbdError.INVALID);
    }

    @Test
    void shouldBeAnsweredAsTheProtocolSays() {
        NbdRequest read = request(0, 0, 4096, 512);

        assertThat(hex(NbdReply.done(read, false))).isEqualTo("6744669800000000" + "0000000000000007");
        assertThat(hex(NbdReply.data(read, false))).isEqualTo("6744669800000000" + "0000000000000007");
        assertThat(hex(NbdReply.done(read, true))).isEqualTo("668e33ef00010000" + "0000000000000007" + "00000000");
        assertThat(hex(NbdReply.data(read, true)))
                .isEqualTo("668e33ef00010001" + "0000000000000007" + "00000208" + "0000000000001000");
        assertThat(hex(NbdReply.error(read, NbdError.IO, "no", false)))
                .isEqualTo("6744669800000005" + "0000000000000007");
        assertThat(hex(NbdReply.error(read, NbdError.IO, "no", true)))
                .isEqualTo("668e33ef00018001" + "0000000000000007" + "00000008" + "00000005" + "0002" + "6e6f");
        assertThat(hex(NbdReply.extents(read, List.of(new Extent(256, true), new Extent(256, false)))))
                .isEqualTo("668e33ef00010005" + "0000000000000007" + "00000014" + "00000001" + "00000100" + "00000003"
                        + "00000100" + "00000000");
    }
}
