package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.server.HttpFetch;
import dev.retier.config.HostPort;
import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.FreePorts;
import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Prometheus of its own with the files of {@code conf/prometheus}, of which only targets and times are others: once a
 * second it scrapes and evaluates, and alerts wait for a second. Not thread-safe.
 */
final class Prometheus implements AutoCloseable {
    private static final Path FILES = Path.of("..").toAbsolutePath().normalize().resolve("conf/prometheus");

    private final Process process;
    private final HttpFetch fetch;

    /** One series of an answer, by its labels, with its newest value. */
    record Sample(Map<String, String> labels, double value) {
        String label(String name) {
            return labels.getOrDefault(name, "");
        }
    }

    private Prometheus(Process process, HostPort address) {
        this.process = process;
        this.fetch = new HttpFetch(address);
    }

    /** Starts one that scrapes these agents; it is ready when this returns. */
    static Prometheus start(Path folder, List<HostPort> agents) throws IOException {
        HostPort address = new HostPort("127.0.0.1", FreePorts.next());
        Files.writeString(
                folder.resolve("rules.yml"), shipped("rules.yml").replaceAll("(?m)^( +for): \\w+$", "$1: 1s"));
        String targets =
                agents.stream().map(agent -> '"' + agent.toString() + '"').collect(Collectors.joining(", "));
        Path config = Files.writeString(
                folder.resolve("prometheus.yml"),
                shipped("prometheus.yml")
                        .replaceFirst("targets: \\[.*web-1.*?]", "targets: [" + targets + "]")
                        .replace("targets: [\"db-1:7190\"]", "targets: []") // there is no volume server
                        .replaceAll("interval: 15s", "interval: 1s"));
        assertThat(config).content().contains(targets, "scrape_interval: 1s", "evaluation_interval: 1s");
        Path log = folder.resolve("prometheus.log");
        Process process = new ProcessBuilder(
                        ExternalTool.find("prometheus").toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=" + address)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile())
                .start();
        Prometheus started = new Prometheus(process, address);
        try {
            Patience.await().failFast(() -> !process.isAlive()).until(started::isReady);
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw new AssertionError(Files.readString(log), e);
        }
    }

    private static String shipped(String name) throws IOException {
        return Files.readString(FILES.resolve(name));
    }

    private boolean isReady() {
        try {
            return fetch.get("/-/ready", Patience.PATIENCE).status() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /** What {@code promtool} says in the folder of the shipped files; it must find nothing. */
    static String promtool(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(ExternalTool.find("promtool").toString()));
        command.addAll(List.of(arguments));
        Process promtool = new ProcessBuilder(command)
                .directory(FILES.toFile())
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean isEnded = promtool.waitFor(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        promtool.destroyForcibly();
        assertThat(isEnded && promtool.waitFor() == 0)
                .as("%s: %s", String.join(" ", command), said)
                .isTrue();
        return said;
    }

    /** What an instant query gives now; the test fails when it is none. */
    List<Sample> query(String expression) throws IOException {
        JsonNode result = ask("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
        List<Sample> samples = new ArrayList<>();
        for (JsonNode each : result.values()) {
            Map<String, String> labels = new TreeMap<>();
            each.path("metric")
                    .properties()
                    .forEach(
                            label -> labels.put(label.getKey(), label.getValue().asString()));
            samples.add(new Sample(labels, number(each.path("value").path(1).asString())));
        }
        return samples;
    }

    /** Infinities are written as {@code +Inf} and {@code -Inf}. */
    private static double number(String text) {
        return Double.parseDouble(text.replace("Inf", "Infinity"));
    }

    /** All rules as they stand, each with its last evaluation. */
    List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group : ask("/api/v1/rules").path("groups").values()) {
            rules.addAll(group.path("rules").values());
        }
        return rules;
    }

    /** The alerts that fire, as {@code name instance}. */
    Set<String> firing() throws IOException {
        return query("ALERTS{alertstate=\"firing\"}").stream()
                .map(alert -> alert.label("alertname") + " " + alert.label("instance"))
                .collect(Collectors.toSet());
    }

    private JsonNode ask(String path) throws IOException {
        HttpFetch.Answer answer = fetch.get(path, Patience.PATIENCE);
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body()).path("data");
    }

    @Override
    public void close() {
        fetch.close();
        process.destroy();
        try {
            if (!process.waitFor(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
