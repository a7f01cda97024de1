package dev.retier.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** What a user gets who makes a mistake: one line that names the thing and the remedy, and the stated exit code. */
class MainTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine commandLine =
                Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "demo --nodes 2              | --nodes 2: must be 3 to 32",
                "demo --burst 0              | --burst 0: must be 1",
                "demo -S 100                 | write a whole number with unit us, ms, s, m or h",
                "demo -S 1s -T 500ms         | -T (in ms) 500: must be 1000",
                "demo --dynamic-share 0.5    | name one",
                "demo --close web-node:9@1s  | there are only 7 nodes",
                "demo --close everything     | web-node:3@20s",
                "demo --pcap target --pcap-mib 0 | --pcap-mib 0: use 1 or more",
                "demo --frobnicate           | no option '--frobnicate'",
                "frobnicate                  | no command 'frobnicate'",
                "lod                         | no command 'lod'; did you mean load",
                "load --targt 127.0.0.1:1    | no option '--targt'; did you mean --target",
                "version more                | no argument 'more'",
                "load --target 127.0.0.1:1 -o xml | xml",
            })
    void shouldNameTheOptionAndTheRemedy_whenTheCommandLineIsWrong(String command, String expected) {
        assertThat(run(command.split(" +"))).isEqualTo(64);

        assertThat(err.toString()).contains(expected).doesNotContain("\tat ");
    }

    @Test
    void shouldNameTheFile_whenATraceIsMissing() {
        assertThat(run("demo", "--trace", directory.resolve("none.gz").toString()))
                .isEqualTo(1);

        assertThat(err.toString()).startsWith("retier: ").contains("none.gz").hasLineCount(1);
    }

    @Test
    void shouldSaySo_whenATraceIsNoWorldCupLog() throws IOException {
        Path file = write("notes.txt", "these are no records of twenty bytes at all, they are words\n".repeat(20));

        assertThat(run("demo", "--trace", file.toString())).isEqualTo(1);

        assertThat(err.toString()).startsWith("retier: ").contains("notes.txt").hasLineCount(1);
    }

    @Test
    void shouldListEveryProblem_whenAClusterFileIsWrong() throws IOException {
        Path file = write("cluster.yaml", "name: x\nmood: act\nmode: act-up\n");

        assertThat(run("validate", file.toString())).isEqualTo(78);

        assertThat(err.toString()).contains("cluster.yaml:2", "mood").contains("cluster.yaml:3", "act-up");
    }

    @Test
    void shouldTellProblemsAsJson_whenAskedTo() throws IOException {
        Path file = write("cluster.yaml", "name: x\nmood: act\n");

        assertThat(run("validate", file.toString(), "-o", "json")).isEqualTo(78);

        assertThat(JsonMapper.shared().readTree(out.toString())).anySatisfy(problem -> {
            assertThat(problem.path("line").asInt()).isEqualTo(2);
            assertThat(problem.path("severity").asString()).isEqualTo("error");
            assertThat(problem.path("key").asString()).isEqualTo("mood");
        });
    }

    @Test
    void shouldWarn_whenADeadlineIsTooShortForAServer() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster-httpd.yaml"));
        Path good = write("good.yaml", example);
        Path hasty = write("hasty.yaml", example.replace("drain-deadline: 30s", "switch-deadline: 2s"));

        assertThat(run("validate", good.toString(), hasty.toString())).isZero();

        assertThat(out.toString())
                .doesNotContainPattern("good\\.yaml[:0-9]*: warning")
                .contains("hasty.yaml:" + line(hasty, "switch-deadline")
                        + ": warning: move.switch-deadline of 2s is shorter than the 16s that web-1 (httpd)");
    }

    @Test
    void shouldNotStart_whenNothingSaysWhoMayAskAnAgentThatOthersReach() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster-httpd.yaml"));
        Path open = write("open.yaml", example.replaceFirst("admin:\n(  .*\n)+", ""));
        for (List<String> command : List.of(List.of("validate"), List.of("agent", "--node", "web-1", "--config"))) {
            assertThat(run(Stream.concat(command.stream(), Stream.of(open.toString()))
                            .toArray(String[]::new)))
                    .isEqualTo(78);
            assertThat(err.toString())
                    .contains("open.yaml:" + line(open, "agent:") + ": nodes[0].agent: others reach 192.0.2.1:18200")
                    .contains("admin.tls", "admin: {insecure: true}");
        }
    }

    /** The first one that begins with that. */
    private static int line(Path file, String begin) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return 1
                + IntStream.range(0, lines.size())
                        .filter(at -> lines.get(at).strip().startsWith(begin))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void shouldTakeOutKeysThatAreGone_whenAskedTo() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        Path former = write("former.yaml", example.replace("  take-history:", "  settle: 1s\n  take-history:"));

        assertThat(run("validate", former.toString())).isZero();
        assertThat(out.toString())
                .contains("former.yaml:" + line(former, "settle")
                        + ": warning: decision.settle changes nothing any more");
        assertThat(run("validate", "--fix", former.toString())).isZero();

        assertThat(out.toString()).contains("former.yaml: fixed");
        assertThat(former).hasContent(example);
        assertThat(former.resolveSibling("former.yaml.fixed")).doesNotExist();
    }

    @Test
    void shouldLeaveTheLinkAndTheMode_whenItTakesOutKeys() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        Path real = write("real.yaml", example.replace("  take-history:", "  settle: 1s\n  take-history:"));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), Path.of("real.yaml"));

        assertThat(run("validate", "--fix", link.toString())).isZero();

        assertThat(link).isSymbolicLink();
        assertThat(real).hasContent(example);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(real, link);
        }
    }

    @Test
    void shouldWarn_whenTiersMustHaveMoreNodesThanThereAre() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        Path greedy = write("greedy.yaml", example.replace("{min: 1, max: 6}", "{min: 6, max: 6}"));

        assertThat(run("validate", greedy.toString())).isZero();

        assertThat(out.toString())
                .contains("greedy.yaml:" + (line(greedy, "nodes:") + 1)
                        + ": warning: the tiers of all sites must have 12 nodes")
                .contains("and the cluster has 7: some tier is always short");
    }

    @Test
    void shouldWarn_whenNobodySaysWhoSendsToTheProxies() throws IOException {
        String example = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        Path careless = write("careless.yaml", example.replace("proxy-hold: 300ms", ""));

        assertThat(run("validate", Path.of("..", "conf", "cluster.yaml").toString(), careless.toString()))
                .isZero();

        assertThat(out.toString())
                .doesNotContainPattern("cluster\\.yaml[:0-9]*: warning")
                .contains("careless.yaml:" + line(careless, "- id: 1")
                        + ": warning: site shop has neither an edge nor a proxy-hold");
    }

    @Test
    void shouldListEveryProblem_whenWebNodeSettingsAreWrong() throws IOException {
        Path file = write("node.json", "{\"node\": \"n\", \"listen\": \"nowhere\", \"colour\": 1}");

        assertThat(run("web-node", "--config", file.toString())).isEqualTo(78);

        assertThat(err.toString()).contains("listen").contains("colour").contains("node.json");
    }

    @Test
    void shouldNameTheAddress_whenAPortIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            write("role.json", "{\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"}");
            Path file = write(
                    "node.json",
                    "{\"node\": \"n\", \"listen\": \"" + address + "\", \"admin\": \"127.0.0.1:0\","
                            + " \"role-file\": \"role.json\", \"capacity-units-per-second\": 100}");

            assertThat(run("web-node", "--config", file.toString())).isEqualTo(1);

            assertThat(err.toString()).contains(address).contains("in use").hasLineCount(1);
        }
    }

    @Test
    void shouldNameTheAgent_whenNoneAnswers() {
        assertThat(run("status", "--agent", "127.0.0.1:1")).isEqualTo(1);

        assertThat(err.toString()).contains("127.0.0.1:1").hasLineCount(1);
    }

    @Test
    void shouldSayWhyAMoveWasRolledBackAndWhatEdgesRun_whenAsked() throws IOException {
        String status = """
                {"cluster": "c", "node": "node-3", "mode": "act", "insecure": true, "nodes": [],
                 "edges": [{"edge": "front", "site": "shop", "stamp": 12, "sends_to_this_node": true,
                            "told_seconds_ago": 3.4},
                           {"edge": "list", "site": "shop"}],
                 "decisions": [{"site": "shop", "decision": "stay", "reason": "MODE_RECOMMEND", "sentence": "as asked",
                                "detail": "proxy 0.9",
                                "would": [[{"node": "node-3", "from": "shop/app", "to": "shop/proxy"}]]}],
                 "moves": [{"node": "node-3", "epoch": 7, "from": "shop/app", "to": "shop/proxy", "at": "now",
                            "rolled_back_because": "SERVER_REFUSED", "rolled_back_detail": "stamp 14: no such thing",
                            "phases_seconds": {"ordered": 0.0, "rolled_back": 1.5}}]}
                """;
        HttpServer agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/v1/status", exchange -> {
            exchange.sendResponseHeaders(200, status.length());
            exchange.getResponseBody().write(status.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        agent.start();
        try {
            String address = "127.0.0.1:" + agent.getAddress().getPort();
            assertThat(run("explain", "--agent", address)).isZero();
            assertThat(out.toString())
                    .contains("shop: stay (node-3 from shop/app to shop/proxy), MODE_RECOMMEND: as asked; proxy 0.9")
                    .contains("SERVER_REFUSED: stamp 14: no such thing", "rolled_back");
            assertThat(run("status", "--agent", address)).isZero();
            assertThat(out.toString())
                    .contains("everybody in the network of this agent may read all that it knows (admin.insecure)")
                    .contains("edge front of shop: runs stamp 12, told 3 s ago")
                    .contains("edge list of shop: has told this agent nothing; a proxy leaves only when it has");
            assertThat(run("explain", "--agent", address, "-o", "json")).isZero();
            assertThat(out.toString()).contains("rolled_back_detail").doesNotContain("nodes");
        } finally {
            agent.stop(0);
        }
    }

    @Test
    void shouldPrintTheVersionInEachForm() {
        assertThat(run("version", "-o", "json")).isZero();
        assertThat(out.toString()).contains("\"name\" : \"retier\"");
        assertThat(run("version", "-o", "csv")).isZero();
        assertThat(out.toString()).contains("name,version");
    }
}
