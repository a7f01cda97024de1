package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beside one agent of four, which speaks TLS and wants a token, with a secret in each place where one can be. */
class BundleIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CLUSTER_SECRET = "an-operators-secret-of-32-letters";
    private static final String PLANTED = "hunter2-planted";
    private static final String IN_ENVIRONMENT = "sunshine-planted";
    private static final String TOKEN = "a-token-of-ann-that-nobody-else-has";

    @TempDir
    private static Path common;

    private static OperatedCell cell;
    private static String tokens;
    private static String key;

    @TempDir
    private Path folder;

    private Path archive;

    @BeforeAll
    static void startCell() throws IOException {
        TestAuthority authority = new TestAuthority("shop");
        Path signer = authority.writeTo(common);
        PemPair agent = authority
                .issue(Subject.of("node-1").withNames("node-1", "127.0.0.1"))
                .writeTo(common, "agent");
        key = Files.readAllLines(agent.key()).get(1);
        tokens = Tokens.line("ann", CallerRole.VIEWER, TOKEN) + "\n"
                + Tokens.line("mallory", CallerRole.OPERATOR, "another-token") + "\n";
        cell = OperatedCell.serve(
                common,
                "mode: recommend # password: " + PLANTED + "\nadmin: {tls: {certificate: " + agent.certificate()
                        + ", key: " + agent.key() + ", client-ca: " + signer + "}, tokens-file: "
                        + secret("tokens", tokens) + "}\n");
        secret("token", TOKEN);
        cell.startAgents(List.of("node-1"));
        await().atMost(PATIENCE)
                .until(() -> CommandRun.of(with("status", "--node", "node-1")).code() == 0);
        CommandRun.of("pause", "--config", cell.file().toString());
    }

    @AfterAll
    static void endCell() {
        cell.close();
    }

    @BeforeEach
    void choosePlace() {
        archive = folder.resolve("all.tar.gz");
    }

    private static Path secret(String name, String text) throws IOException {
        Path file = Files.createFile(
                common.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private static Path journalOf(String node) throws IOException {
        try (Stream<Path> all = Files.walk(common)) {
            return all.filter(file -> file.endsWith(node + "/audit.jsonl"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String digest(int line) {
        return tokens.split("\n", -1)[line].replaceFirst(".*:", "");
    }

    /** A command that asks agents of the cell. */
    private static String[] with(String command, String... more) {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--config",
                cell.file().toString(),
                "--ca",
                common.resolve("ca.pem").toString(),
                "--token-file",
                common.resolve("token").toString()));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    /** The command as a process of its own: only such a one can be given an environment. */
    private static String run(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("RETIER_SECRET", IN_ENVIRONMENT);
        Process bundle = builder.start();
        String said = new String(bundle.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bundle.waitFor()).as(said).isZero();
        return said;
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                texts.put(
                        entry.getName().replaceFirst("^retier-bundle/", ""),
                        new String(tar.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private Path log(String... last) throws IOException {
        return Files.writeString(
                folder.resolve("agent.log"),
                "first line\n" + "node-2 of shop at 10.9.8.7 said nothing\n".repeat(10_000 - last.length)
                        + String.join("\n", last) + "\n");
    }

    @Test
    void shouldHaveAllButSecrets() throws Exception {
        Path log = log(
                "asked with --token " + PLANTED + " and " + CLUSTER_SECRET + " and " + IN_ENVIRONMENT,
                TOKEN + " is " + digest(0),
                "not " + digest(1),
                key);
        Path planted = journalOf("node-1").resolveSibling("planted");
        Files.createSymbolicLink(planted, Files.writeString(folder.resolve("shadow"), "of another user"));
        String said = run(with("bundle", "--log", log.toString(), "--out", archive.toString()));
        Files.delete(planted);

        Map<String, String> content = content();
        assertThat(String.join("", content.values())).doesNotContain("of another user");
        assertThat(content.get("MANIFEST")).contains("journals/node-1/planted: ");
        assertThat(content)
                .containsKeys(
                        "MANIFEST",
                        "config/cluster.yaml",
                        "agents/node-1/config.json",
                        "agents/node-1/explain.json",
                        "agents/node-1/metrics.txt",
                        "agents/node-1/moves.json",
                        "agents/node-1/readyz.txt",
                        "agents/node-1/status.json",
                        "agents/node-1/version.json",
                        "generated/node-1/role-1.json",
                        "journals/node-1/audit.jsonl",
                        "journals/node-1/journal.jsonl",
                        "logs/agent.log",
                        "system/proc/version",
                        "versions");
        assertThat(content.get("config/cluster.yaml"))
                .contains("secret-file: ", "tokens-file: ", "password: ***", "127.0.0.1:");
        assertThat(content.get("system/environment")).contains("RETIER_SECRET=***");
        assertThat(content.get("logs/agent.log"))
                .startsWith("node-2 of shop")
                .endsWith("asked with --token *** and *** and ***\n*** is ***\nnot ***\n***\n");
        assertThat(content.get("agents/node-1/metrics.txt")).contains("retier_node_role");
        assertThat(content.get("agents/node-1/config.json")).contains("\"name\":\"operated\"");
        assertThat(content.get("journals/node-1/audit.jsonl")).contains("pause");
        assertThat(String.join("\n", content.values()))
                .doesNotContain(PLANTED, CLUSTER_SECRET, IN_ENVIRONMENT, TOKEN, digest(0), digest(1), key);
        assertThat(content.get("MANIFEST"))
                .contains("agents/node-1/status.json", "Not in it:", "agents/node-2/: no agent answers at");
        assertThat(said).contains("Not in it:", archive.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldHaveNoNames_whenItIsAskedTo() throws Exception {
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"),
                Files.readString(cell.file()).replace("node-1", "web-1").replace("node-2", "web-2"));
        Path log = log("web-2 and mallory");
        String[] words = with("bundle", "--anonymise", "--log", log.toString(), "--out", archive.toString());
        words[2] = file.toString();
        CommandRun run = CommandRun.of(words);
        assertThat(run.code()).as("%s", run).isZero();

        Map<String, String> content = content();
        assertThat(content.get("logs/agent.log"))
                .startsWith("node-2 of site-1 at address-1 said nothing\n")
                .matches("(?s).*\nnode-2 and user-\\d+\n");
        assertThat(content.get("config/cluster.yaml")).contains("name: node-1", "name: site-1", "name: cluster");
        assertThat(content.get("agents/node-1/status.json")).contains("site-1");
        assertThat(String.join("\n", content.keySet()) + String.join("\n", content.values()))
                .doesNotContain("web-1", "web-2", "operated", "10.9.8.7", "mallory")
                .doesNotContainPattern("(?<![A-Za-z0-9])shop(?![A-Za-z0-9])");
    }

    @Test
    void shouldAskAgentsAlone_whenThereIsNoFile() throws IOException {
        String agent = cell.config("node-1").node().agentAdmin().toString();
        String[] asked = {"bundle", "--agent", "https://" + agent, "--out", archive.toString()};
        assertThat(CommandRun.of(asked).code()).isZero();
        assertThat(content().get("MANIFEST")).contains("/: the agent at " + agent + ": ", "no --config was given");
        Files.delete(archive);

        List<String> known = new ArrayList<>(List.of(asked));
        known.addAll(List.of("--ca", common.resolve("ca.pem").toString()));
        assertThat(CommandRun.of(known.toArray(String[]::new)).code()).isZero();
        String folderOfAgent = "agents/" + agent.replace(':', '-') + "/";
        assertThat(content()).containsKey(folderOfAgent + "readyz.txt");
        assertThat(content().get("MANIFEST")).contains(folderOfAgent + "status.json: " + agent + " answered 401");
        Files.delete(archive);

        known.addAll(List.of("--token-file", common.resolve("token").toString()));
        assertThat(CommandRun.of(known.toArray(String[]::new)).code()).isZero();
        assertThat(content().get(folderOfAgent + "status.json")).contains("\"operated\"");
        Files.delete(archive);

        known.add("--anonymise");
        assertThat(CommandRun.of(known.toArray(String[]::new)).err()).contains("give --config in place of --agent");
        assertThat(archive).doesNotExist();
    }

    @Test
    void shouldOverwriteNothing() throws IOException {
        Files.writeString(archive, "mine");
        CommandRun run = CommandRun.of("bundle", "--config", cell.file().toString(), "--out", archive.toString());
        assertThat(run.code()).isEqualTo(ExitCode.FAILED.code());
        assertThat(run.err()).contains(archive + " is there already");
        assertThat(archive).hasContent("mine");
    }

    @Test
    void shouldBeMadeOfABrokenFile_butNotWithoutNames() throws IOException {
        String file = Files.writeString(folder.resolve("cluster.yaml"), "name: [broken\ntoken: " + PLANTED)
                .toString();
        CommandRun refused = CommandRun.of("bundle", "--config", file, "--out", archive.toString(), "--anonymise");
        assertThat(refused.code()).isEqualTo(ExitCode.CONFIG.code());
        assertThat(refused.err()).contains("leave --anonymise out");
        assertThat(archive).doesNotExist();
        CommandRun run = CommandRun.of("bundle", "--config", file, "--out", archive.toString());
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(content().get("config/cluster.yaml")).isEqualTo("name: [broken\ntoken: ***");
    }
}
