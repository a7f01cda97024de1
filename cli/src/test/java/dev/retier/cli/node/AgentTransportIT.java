package dev.retier.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that ask for a transport which this machine does not have. */
class AgentTransportIT {
    private static final String NOT_HERE =
            "(?s).*retier: transport native: (libibverbs\\.so\\.1 cannot be loaded .*; install rdma-core's libraries"
                    + " \\(Debian: libibverbs1 librdmacm1 ibverbs-providers;.*"
                    + "|no RDMA device in /sys/class/infiniband:.*)";

    @TempDir
    private Path folder = Path.of("");

    private Path cluster;

    @BeforeEach
    void write() throws IOException {
        String[] devices = new File("/sys/class/infiniband").list();
        assumeFalse(devices != null && devices.length > 0, "this machine has RDMA devices");
        Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        cluster = Files.writeString(folder.resolve("cluster.yaml"), """
                name: test
                transport: native
                secret-file: %1$s/secret
                journal-directory: %1$s/journal
                sites: [{id: 1, name: shop}]
                nodes:
                  - {id: 1, name: web-1, rdma: "127.0.0.1:9001", agent: "127.0.0.1:0", role: shop/proxy,
                     server: {address: "127.0.0.1:3", admin: "127.0.0.1:4", role-file: %1$s/role.json}}
                witnesses: [web-1]
                """.formatted(folder));
    }

    private String said(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        words.addAll(List.of(arguments));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(ExitCode.CONFIG.code());
        return said;
    }

    @Test
    void shouldEndAndSayWhatIsMissing_whenAnAgentHasNoDevice() throws Exception {
        assertThat(said("agent", "--config", cluster.toString(), "--node", "web-1"))
                .matches(NOT_HERE)
                .doesNotContain("by provider iwarp");
    }

    @Test
    void shouldEndAndSayWhatIsMissing_whenAProgramOfTheFabricHasNoDevice() throws Exception {
        assertThat(said("fabric", "counter", "--config", cluster.toString(), "--node", "web-1"))
                .matches(NOT_HERE)
                .doesNotContain("by provider iwarp");
    }
}
