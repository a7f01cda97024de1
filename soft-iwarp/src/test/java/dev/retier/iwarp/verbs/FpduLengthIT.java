package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.retier.iwarp.mpa.LargeFpdus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * FPDUs on an interface with the MTU of Ethernet: loopback in a network namespace of its own, which ends with the
 * process. Left out where the system lets nobody make one.
 */
class FpduLengthIT {
    /** 1500 less 52 bytes of headers of IPv4 and TCP is an EMSS of 1448. */
    @ParameterizedTest
    @CsvSource({"ALWAYS,false,64768", "TO_KNOWN,true,64768", "TO_KNOWN,false,1442", "NEVER,true,1442"})
    void shouldSendUlpdusOf_whenLargeFpdusAreOffered(LargeFpdus to, boolean isKnown, int longest) throws Exception {
        String prepare = "ip link set lo mtu 1500 up";
        assumeThat(exitOf(List.of("unshare", "-rn", "sh", "-c", prepare))).isZero();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "unshare",
                        "-rn",
                        "sh",
                        "-c",
                        prepare + " && exec \"$@\"",
                        "sh",
                        java,
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FpduLengths.class.getName(),
                        to.name(),
                        String.valueOf(isKnown))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output.lines()).contains("initiator " + longest, "responder " + longest, "same bytes");
    }

    private static int exitOf(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor();
        } catch (IOException _) {
            return -1;
        }
    }
}
