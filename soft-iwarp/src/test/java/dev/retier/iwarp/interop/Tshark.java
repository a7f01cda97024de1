package dev.retier.iwarp.interop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Wireshark's dissector as an independent judge. */
public final class Tshark {
    /** Set in CI: a tool that is missing is a failure there, not a skip. */
    private static final String REQUIRE = "retier.tests.require-tools";

    private Tshark() {}

    /** Skips the test if there is no tshark; fails it where tools are required. */
    public static void require() throws IOException, InterruptedException {
        boolean present = isPresent();
        if (!present && Boolean.getBoolean(REQUIRE)) {
            throw new IllegalStateException("tshark is missing; apt-get install tshark, or drop -D" + REQUIRE);
        }
        assumeTrue(present, "tshark is missing: apt-get install tshark");
    }

    private static boolean isPresent() throws InterruptedException {
        try {
            return new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** The text of every packet, with all details. */
    public static String dissect(Path pcap) throws IOException, InterruptedException {
        return run(pcap, "-V");
    }

    /** One line for each packet, with the values of fields, tab between them, commas within. */
    public static List<String> fields(Path pcap, String... names) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-T", "fields"));
        for (String name : names) {
            arguments.add("-e");
            arguments.add(name);
        }
        return run(pcap, arguments.toArray(String[]::new)).lines().toList();
    }

    private static String run(Path pcap, String... more) throws IOException, InterruptedException {
        Path output = Files.createTempFile("tshark", ".txt");
        List<String> command =
                new ArrayList<>(List.of("tshark", "-r", pcap.toString(), "--disable-protocol", "rpcordma"));
        // MPA has no port of its own: whatever port the system chose may be another protocol's.
        command.addAll(List.of("-o", "tcp.try_heuristic_first:TRUE"));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("tshark is still busy after 60 s");
        }
        String text = Files.readString(output);
        Files.delete(output);
        return text;
    }
}
