package dev.retier.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Words that Linux siw 6.1 has sent are from a recorded run. */
class ReceivedTerminateTest {
    @ParameterizedTest
    @EnumSource(TerminateReason.class)
    void shouldReadWhatThisStackSends(TerminateReason reason) {
        ReceivedTerminate read = ReceivedTerminate.of(reason.word() << 16 | 0xE000);
        assertThat(read.reason()).isEqualTo(reason.word());
        assertThat(read.isSwapped()).isFalse();
        assertThat(ReceivedTerminate.of(reason.word() << 16).reason()).isEqualTo(reason.word());
    }

    @Test
    void shouldSayItInWords() {
        assertThat(ReceivedTerminate.of(0x0101E000))
                .hasToString("RDMAP remote protection error, bounds (Terminate 0x0101e000)");
        assertThat(ReceivedTerminate.of(0x1205C000))
                .hasToString("DDP untagged buffer error, too long (Terminate 0x1205c000)");
        assertThat(ReceivedTerminate.of(0x0202E000))
                .hasToString("RDMAP remote operation error, code 2 (Terminate 0x0202e000)");
        assertThat(ReceivedTerminate.of(0x74550000))
                .hasToString("error of layer 7, type 4, code 85 (Terminate 0x74550000)");
    }

    /** A READ of a key that siw does not have, and a WRITE to one. */
    @Test
    void shouldKnowSiwsOrder_byTheFlags() {
        ReceivedTerminate read = ReceivedTerminate.of(0x10000700);
        assertThat(read.reason()).isEqualTo(TerminateReason.RDMAP_INVALID_STAG.word());
        assertThat(read.isProtectionError()).isTrue();
        assertThat(read)
                .hasToString("RDMAP remote protection error, invalid stag (Terminate 0x10000700, with its bits swapped,"
                        + " as by Linux siw)");
        assertThat(ReceivedTerminate.of(0x11000300).reason()).isEqualTo(TerminateReason.DDP_INVALID_STAG.word());
    }

    /** The bits behind the flags are reserved: some sender may set them. */
    @Test
    void shouldKeepTheOrderOfTheRfc_whenAFlagIsSetInIt() {
        ReceivedTerminate read = ReceivedTerminate.of(0x0101E100);
        assertThat(read.isSwapped()).isFalse();
        assertThat(read.reason()).isEqualTo(TerminateReason.RDMAP_BOUNDS.word());
    }

    /** RFC 5041 section 8.2: a version is among the tagged buffer errors, but no memory was asked for. */
    @Test
    void shouldTellARefusedVersionFromAProtectionError() {
        assertThat(ReceivedTerminate.of(0x1103C000).isProtectionError()).isTrue();
        assertThat(ReceivedTerminate.of(0x1104C000).isProtectionError()).isFalse();
        assertThat(ReceivedTerminate.of(0x0104C000).isProtectionError()).isTrue();
    }

    /** Its CRC error. */
    @Test
    void shouldKnowSiwsOrder_whenTheWordMeansSomethingInThatAlone() {
        ReceivedTerminate crc = ReceivedTerminate.of(0x02020000);
        assertThat(crc.reason()).isEqualTo(TerminateReason.MPA_CRC.word());
        assertThat(crc).hasToString("MPA error, crc (Terminate 0x02020000, with its bits swapped, as by Linux siw)");
        assertThat(ReceivedTerminate.of(0x21020000).reason()).isEqualTo(TerminateReason.DDP_NO_BUFFER.word());
    }

    /** Its unknown opcode, which is also RFC 6581's insufficient IRD; and what is neither. */
    @Test
    void shouldKeepTheOrderOfTheRfc_whenBothOrNeitherMeansSomething() {
        ReceivedTerminate both = ReceivedTerminate.of(0x20060000);
        assertThat(both.reason()).isEqualTo(TerminateReason.MPA_INSUFFICIENT_IRD.word());
        assertThat(both.isSwapped()).isFalse();
        assertThat(ReceivedTerminate.of(0x02FF0000).isSwapped()).isFalse();
    }
}
