package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SlotGrantTest {
    private static final SlotGrant GRANT = new SlotGrant(0x0102_0304_0506_0708L, 0x11, 0x22, 0x0A0BL, 0x33);

    @Test
    void shouldPlaceEachFieldAsDrawn_whenEncoding() {
        assertThat(HexFormat.of().formatHex(GRANT.encode()))
                .isEqualTo("0102030405060708" + "00000011" + "00000022" + "0000000000000a0b" + "00000033" + "00000033");
    }

    /** A later version may say more behind it. */
    @Test
    void shouldGiveTheSame_whenDecodedOfAsMuchOrMore() {
        assertThat(SlotGrant.decode(ByteBuffer.wrap(GRANT.encode()))).isEqualTo(GRANT);
        assertThat(SlotGrant.decode(ByteBuffer.allocate(128).put(GRANT.encode()).rewind()))
                .isEqualTo(GRANT);
    }

    @Test
    void shouldSayWhatIsWrong_whenItIsTooShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlotGrant.decode(ByteBuffer.allocate(31)))
                .withMessage("it grants 31 bytes, no slot");
    }
}
