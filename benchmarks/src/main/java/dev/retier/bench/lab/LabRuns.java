package dev.retier.bench.lab;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ConfigFile;
import dev.retier.bench.Launched;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ./retier lab}, a process each time. Stateless. */
final class LabRuns {
    /** Where the lab's files are. */
    static final Path HOME = Path.of("/run/retier-lab");

    private static final String AGENT = "http://10.77.0.1:18200";
    private static final String SHOP = "10.77.0.250:8000";
    private static final String NEWS = "10.77.0.250:8001";
    /** Of made requests, of each class; the lab has a file for each. */
    static final int OBJECTS = 100;

    private LabRuns() {}

    /** What a run of load came to. */
    record Load(double perSecond, double seconds, double answered, double failed, double p99Millis) {}

    /** Makes a lab; the one before must be down. */
    static void up(int nodes, int proxies, String mode, String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(
                List.of("lab", "up", "--nodes", text(nodes), "--proxies", text(proxies), "--mode", mode));
        words.addAll(List.of(more));
        run(words);
    }

    /** Removes the lab, if there is one. */
    static void down() throws IOException, InterruptedException {
        run(List.of("lab", "down"));
    }

    /** Sends requests from the lab's client, to what {@code to} says, and waits until all are answered. */
    static Load load(List<String> to, int clients, List<String> options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("lab", "run", "--", "load", "-o", "csv"));
        words.addAll(to);
        words.addAll(List.of("-c", text(clients)));
        words.addAll(options);
        if (options.contains("--make")) {
            words.addAll(List.of("--objects", text(OBJECTS)));
        }
        return load(run(words));
    }

    private static Load load(String printed) throws IOException {
        List<String> lines = printed.lines().toList();
        return new Load(
                figure(lines, "throughput"),
                figure(lines, "elapsed"),
                figure(lines, "answered"),
                figure(lines, "failed"),
                figure(lines, "latency p99"));
    }

    /** Begins to send made requests from the lab's client; the result goes to {@code result} as JSON. */
    static Process startLoad(Path result, List<String> options) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("lab", "run", "--", "load", "--json", result.toString(), "--objects", text(OBJECTS)));
        words.addAll(options);
        return start(new ProcessBuilder(launched(words)));
    }

    /** Plays a scenario of several sites from the lab's client, and waits for its end. In the order of the file. */
    static List<LoadResult> scenario(String yaml) throws IOException, InterruptedException {
        Path scenario = Files.createTempFile("retier-scenario", ".yaml");
        Path result = Files.createTempFile("retier-scenario", ".json");
        try {
            Files.writeString(scenario, yaml);
            run(List.of("lab", "run", "--", "load", "--scenario", scenario.toString(), "--json", result.toString()));
            return ResultJson.read(result.toString(), Files.readString(result));
        } finally {
            Files.deleteIfExists(scenario);
            Files.deleteIfExists(result);
        }
    }

    /** The first send of a load whose result is in {@code result}. */
    static Instant begun(Path result) throws IOException {
        return Instant.ofEpochMilli(ResultJson.read(result.toString(), Files.readString(result))
                .getFirst()
                .startedAtEpochMillis());
    }

    /** Asks the agent of a node for what it knows, ten times a second, from the lab's client. */
    static Load askAgent(int node, int seconds) throws IOException, InterruptedException {
        return load(List.of("http://10.77.0." + node + ":18200/v1/status"), 1, tenASecond(seconds));
    }

    /** Asks the server of a node for its status page, ten times a second, on that node. */
    static Load askPage(int node, int seconds) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("load", "-o", "csv", "http://127.0.0.1/.retier/status?auto", "-c", "1"));
        words.addAll(tenASecond(seconds));
        return load(run(new ProcessBuilder(on("node-" + node, launched(words)))));
    }

    private static List<String> tenASecond(int seconds) {
        return List.of("--rate", "10", "-d", seconds + "s");
    }

    /** What the agent of a node tells a scraper. */
    static String metrics(int node) throws IOException, InterruptedException {
        String script = "exec 3<>/dev/tcp/10.77.0." + node + "/18200; printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3;"
                + " cat <&3";
        return run(new ProcessBuilder(on("client", List.of("bash", "-c", script))));
    }

    private static List<String> on(String host, List<String> command) {
        List<String> words = new ArrayList<>(List.of("nsenter", "--net=/run/netns/retier-lab-" + host, "--"));
        words.addAll(command);
        return words;
    }

    /** Where the edge serves, from the lab's client. */
    static String edge() {
        return "http://" + SHOP;
    }

    /** The same, as a scenario says it. */
    static String edgeTarget() {
        return SHOP;
    }

    /** Where the edge serves the second site, from the lab's client. */
    static String news() {
        return "http://" + NEWS;
    }

    /** The same, as a scenario says it. */
    static String newsTarget() {
        return NEWS;
    }

    /** Where the first agent tells the targets, from the lab's client. */
    static String agent() {
        return AGENT;
    }

    /** The cluster file of the lab that is up. */
    static ClusterConfig cluster() {
        return ConfigFile.read(HOME.resolve("cluster.yaml"));
    }

    private static double figure(List<String> lines, String measure) throws IOException {
        return lines.stream()
                .filter(line -> line.startsWith(measure + ","))
                .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no figure '" + measure + "' in what load printed: " + lines));
    }

    private static String run(List<String> arguments) throws IOException, InterruptedException {
        return run(new ProcessBuilder(launched(arguments)));
    }

    /** What {@code command} prints; its failure is one. */
    static String run(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = start(command);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(
                    "'" + String.join(" ", command.command()) + "' ended with " + process.exitValue() + ": " + output);
        }
        return output;
    }

    private static List<String> launched(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(Launched.launcher().toString()));
        words.addAll(arguments);
        return words;
    }

    private static Process start(ProcessBuilder command) throws IOException {
        return command.redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
