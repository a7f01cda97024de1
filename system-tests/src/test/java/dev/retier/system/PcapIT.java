package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code retier demo --pcap}: what the agents of a real run said to each other by RDMA, judged by tshark. */
class PcapIT {
    /** MPA has no port of its own: whatever port the system chose may be another protocol's. */
    private static final String FIRST = "tcp.try_heuristic_first:TRUE";

    @TempDir
    private Path directory;

    @Test
    void shouldRecordConnectionsThatTsharkUnderstands_whenPcapIsAskedFor() throws Exception {
        Path tshark = ExternalTool.find("tshark");
        Path traces = directory.resolve("traces");
        demo("--pcap", traces.toString(), "--pcap-mib", "6");
        List<Path> files;
        try (Stream<Path> found = Files.list(traces)) {
            files = found.toList();
        }
        assertThat(files)
                .as("three nodes, each connected to both others, seen from both ends")
                .hasSizeGreaterThan(5);
        long bytes = 0;
        int withReads = 0;
        for (Path file : files) {
            bytes += Files.size(file);
            String text =
                    run(tshark.toString(), "-r", file.toString(), "--disable-protocol", "rpcordma", "-o", FIRST, "-V");
            assertThat(text).contains("Request frame header", "Reply frame header", "Good CRC32");
            assertThat(text).doesNotContain("Bad CRC32", "Malformed");
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .as("nodes know each other, and agree on long FPDUs")
                    .contains("retierFP");
            withReads += text.contains("Read Request") ? 1 : 0;
        }
        assertThat(withReads)
                .as("connections over which somebody looked at a slot")
                .isGreaterThan(5);
        assertThat(bytes).isLessThanOrEqualTo(6L << 20);
    }

    private void demo(String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.retier.cli.Main",
                "demo"));
        command.addAll(List.of("--nodes", "3", "--burst", "300", "--seconds", "2"));
        command.addAll(List.of("--report", directory.resolve("report.html").toString()));
        command.addAll(List.of(more));
        run(command.toArray(String[]::new));
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ended in time").isTrue();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
