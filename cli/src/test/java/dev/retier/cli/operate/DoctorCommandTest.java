package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private Path cluster() throws IOException {
        Path file = folder.resolve("cluster.yaml");
        return Files.writeString(file, """
                name: test
                secret-file: %1$s/secret
                journal-directory: %1$s/journal
                sites: [{id: 1, name: shop}]
                nodes:
                  - {id: 1, name: web-1, rdma: "127.0.0.1:9001", agent: "127.0.0.1:1", role: shop/proxy,
                     server: {address: "127.0.0.1:3", admin: "127.0.0.1:4", role-file: %1$s/role.json}}
                  - {id: 2, name: web-2, rdma: "192.0.2.77:9002", agent: "127.0.0.1:2", role: shop/app,
                     server: {address: "192.0.2.77:5", admin: "127.0.0.1:6", role-file: %1$s/role-2.json}}
                witnesses: [web-1]
                """.formatted(folder));
    }

    @Test
    void shouldNameLineAndRemedyOfEach_whenSomethingIsBad() throws IOException {
        Path file = cluster();

        CommandRun run = CommandRun.of("doctor", "--config", file.toString(), "--node", "web-1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("web-1:\n")
                .contains("[-] secret: ", file + ":2 secret-file", "[-] status: 127.0.0.1:4: ", "[+] role-file: ")
                .contains("[?] peers: no agent answers yet of web-2 at 127.0.0.1:2");
    }

    /** No device has this address, be there any on this machine or none. */
    @Test
    void shouldExamineTheRdmaDevice_whenTheTransportIsNative() throws IOException {
        Path file = cluster();
        assertThat(CommandRun.of("doctor", "--config", file.toString(), "--node", "web-2")
                        .out())
                .doesNotContain("transport: ");
        Files.writeString(file, Files.readString(file).replace("name: test", "name: test\ntransport: native"));

        CommandRun run = CommandRun.of("doctor", "--config", file.toString(), "--node", "web-2");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("[-] transport: ");
    }

    @Test
    void shouldExamineTheNodesOfThisMachine_whenNoneIsNamed() throws IOException {
        CommandRun run = CommandRun.of("doctor", "--config", cluster().toString(), "-o", "json");

        JsonNode rows = new JsonMapper().readTree(run.out());
        assertThat(rows.valueStream().map(row -> row.path("node").asString("")))
                .isNotEmpty()
                .containsOnly("web-1");
    }

    @Test
    void shouldSayThatItIsRoot_whenTheAgentIsNot() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs another user to give a folder to");
        String[] words = {"doctor", "--config", cluster().toString(), "--node", "web-1"};
        Path journal = Files.createDirectories(folder.resolve("journal/web-1"));
        assertThat(CommandRun.of(words).err()).isEmpty();

        Files.setOwner(
                journal, journal.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThat(CommandRun.of(words).err()).contains("runuser -u nobody -- retier doctor");
    }

    @Test
    void shouldSayWhichNodesThereAre_whenAnotherIsNamed() throws IOException {
        CommandRun run = CommandRun.of("doctor", "--config", cluster().toString(), "--node", "web-9");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("web-9", "web-1, web-2");
    }
}
