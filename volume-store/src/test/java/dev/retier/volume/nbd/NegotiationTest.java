package dev.retier.volume.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NegotiationTest {
    private static final Export ACCOUNTS = new Export("accounts", 0x1234_0000L, false);
    private static final String OPTION = "49484156454f5054";
    private static final String REPLY = "0003e889045565a9";
    private static final String ACK_OF = "00000001" + "00000000";

    private final Negotiation negotiation = new Negotiation(
            List.of("accounts", "orders"),
            name -> Optional.ofNullable(Map.of("accounts", ACCOUNTS, "orders", new Export("orders", 4096, false))
                    .get(name)));

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(ByteBuffer bytes) {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        return HexFormat.of().formatHex(all);
    }

    /** What comes back for all of {@code hex}, given as it is wanted. */
    private String say(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        StringBuilder answered = new StringBuilder();
        while (bytes.hasRemaining()) {
            int wanted = negotiation.wanted();
            assertThat(wanted).as("more than it takes").isBetween(1, bytes.remaining());
            ByteBuffer reply = negotiation.take(bytes.slice(bytes.position(), wanted));
            bytes.position(bytes.position() + wanted);
            answered.append(hex(reply));
        }
        return answered.toString();
    }

    private static String option(int number, String data) {
        return OPTION + String.format("%08x%08x", number, data.length() / 2) + data;
    }

    private static String name(String name) {
        return String.format("%08x", name.length()) + hex(name);
    }

    @Test
    void shouldGreet() {
        assertThat(hex(Negotiation.greeting())).isEqualTo(hex("NBDMAGIC") + hex("IHAVEOPT") + "0003");
    }

    @Test
    void shouldTellSizeFlagsAndBlocks_whenAClientGoes() {
        String info = REPLY + "00000007" + "00000003";

        assertThat(say("00000003" + option(7, name("accounts") + "0000")))
                .isEqualTo(info + "0000000c" + "0000" + "0000000012340000" + "056d"
                        + info + "0000000a" + "0001" + hex("accounts")
                        + info + "0000000e" + "0003" + "00000001" + "00001000" + "02000000"
                        + REPLY + "00000007" + ACK_OF);

        assertThat(negotiation.isOver()).isTrue();
        assertThat(negotiation.agreed()).contains(new Negotiation.Agreed(ACCOUNTS, false, false));
    }

    @Test
    void shouldGoOn_whenItWasOnlyAsked() {
        say("00000003" + option(6, name("orders") + "0001" + "0003"));

        assertThat(negotiation.isOver()).isFalse();
        assertThat(negotiation.agreed()).isEmpty();
    }

    @Test
    void shouldTellAllNames() {
        assertThat(say("00000003" + option(3, "")))
                .isEqualTo(REPLY + "00000003" + "00000002" + "0000000c" + name("accounts")
                        + REPLY + "00000003" + "00000002" + "0000000a" + name("orders")
                        + REPLY + "00000003" + ACK_OF);
    }

    @Test
    void shouldAgreeOnAllocation_onlyForTheExportItWasAskedOf() {
        String context = option(10, name("accounts") + "00000001" + name("base:allocation"));
        assertThat(say("00000003" + option(8, "") + context))
                .isEqualTo(REPLY + "00000008" + ACK_OF
                        + REPLY + "0000000a" + "00000004" + "00000013" + "00000001" + hex("base:allocation")
                        + REPLY + "0000000a" + ACK_OF);

        say(option(7, name("accounts") + "0000"));

        assertThat(negotiation.agreed()).contains(new Negotiation.Agreed(ACCOUNTS, true, true));
    }

    @Test
    void shouldNotAgreeOnAllocation_whenItWasOfAnotherExport() {
        say("00000003" + option(8, "")
                + option(10, name("orders") + "00000001" + name("base:allocation"))
                + option(7, name("accounts") + "0000"));

        assertThat(negotiation.agreed()).contains(new Negotiation.Agreed(ACCOUNTS, true, false));
    }

    @Test
    void shouldPadTheOldAnswer_whenTheClientDoesNotKnowBetter() {
        String answer = say("00000001" + option(1, hex("accounts")));

        assertThat(answer).isEqualTo("0000000012340000" + "056d" + "00".repeat(124));
        assertThat(negotiation.agreed()).isPresent();
    }

    @Test
    void shouldSayWhy_whenThereIsNoSuchExport() {
        String why = "there is no export \"gone\"";

        assertThat(say("00000003" + option(7, name("gone") + "0000")))
                .isEqualTo(REPLY + "00000007" + "80000006" + String.format("%08x", why.length()) + hex(why));
        assertThat(negotiation.isOver()).isFalse();
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow_andGoOn() {
        assertThat(say("00000003" + option(5, ""))).startsWith(REPLY + "00000005" + "80000001");

        say(option(2, ""));
        assertThat(negotiation.isOver()).as("the client has left").isTrue();
        assertThat(negotiation.agreed()).isEmpty();
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() {
        assertThat(say("00000003" + option(7, "7fffffff" + hex("accounts") + "0000")))
                .contains("80000003");
        assertThat(say(option(7, name("accounts") + "0002" + "0001"))).contains("80000003");
        assertThat(say(option(8, "") + option(10, name("accounts") + "7fffffff")))
                .contains("80000003");

        say(OPTION + "00000007" + "7fffffff");
        assertThat(negotiation.isOver()).as("more than anybody needs").isTrue();
        assertThat(negotiation.agreed()).isEmpty();
    }

    @Test
    void shouldEnd_whenAClientSpeaksAnotherLanguage() {
        say("00000080");

        assertThat(negotiation.isOver()).isTrue();
    }

    @Test
    void shouldNeverThrowOrHang_whateverComes() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            Negotiation other = new Negotiation(List.of("accounts"), _ -> Optional.of(ACCOUNTS));
            var _ = other.take(ByteBuffer.allocate(4).putInt(3).flip());
            for (int step = 0; step < 50 && !other.isOver(); step++) {
                byte[] bytes = new byte[other.wanted()];
                random.nextBytes(bytes);
                ByteBuffer made = ByteBuffer.wrap(bytes);
                if (step % 2 == 0) {
                    made.putLong(0, 0x4948_4156_454f_5054L)
                            .putInt(8, random.nextInt(12))
                            .putInt(12, random.nextInt(40));
                } else {
                    made.put(0, (byte) 0);
                }
                var _ = other.take(made);
            }
        }
    }
}
