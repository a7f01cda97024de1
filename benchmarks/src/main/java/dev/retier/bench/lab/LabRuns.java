package dev.retier.bench.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs {@code ./retier lab}, a process each time. Stateless. */
final class LabRuns {
    private static final String EDGE = "http://10.77.0.250:8000";
    private static final String OBJECTS = "100";

    private LabRuns() {}

    /** What a run of load came to. */
    record Load(double perSecond, double seconds, double answered, double failed, double p99Millis) {}

    /** Makes a lab; the one before must be down. */
    static void up(int nodes, int proxies, String mode) throws IOException, InterruptedException {
        run(List.of("lab", "up", "--nodes", text(nodes), "--proxies", text(proxies), "--mode", mode));
    }

    /** Removes the lab, if there is one. */
    static void down() throws IOException, InterruptedException {
        run(List.of("lab", "down"));
    }

    /** Sends made requests in a closed loop from the lab's client. */
    static Load load(int clients, List<String> options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("lab", "run", "--", "load", EDGE, "-o", "csv"));
        words.addAll(List.of("--objects", OBJECTS, "-c", text(clients)));
        words.addAll(options);
        List<String> lines = run(words).lines().toList();
        return new Load(
                figure(lines, "throughput"),
                figure(lines, "elapsed"),
                figure(lines, "answered"),
                figure(lines, "failed"),
                figure(lines, "latency p99"));
    }

    /** How many moves have become active, by the agents' journals. */
    static long moves(Path home) throws IOException {
        long moves = 0;
        try (Stream<Path> journals = Files.walk(home)) {
            for (Path journal :
                    journals.filter(path -> path.endsWith("journal.jsonl")).toList()) {
                try (Stream<String> lines = Files.lines(journal)) {
                    moves += lines.filter(line -> line.contains("\"phase\":\"ACTIVE\""))
                            .count();
                }
            }
        }
        return moves;
    }

    private static double figure(List<String> lines, String measure) throws IOException {
        return lines.stream()
                .filter(line -> line.startsWith(measure + ","))
                .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no figure '" + measure + "' in what load printed: " + lines));
    }

    private static String run(List<String> arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("retier.root", "."))
                .resolve("retier")
                .toString());
        words.addAll(arguments);
        Process process = new ProcessBuilder(words)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(
                    "'" + String.join(" ", words) + "' ended with " + process.exitValue() + ": " + output);
        }
        return output;
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
