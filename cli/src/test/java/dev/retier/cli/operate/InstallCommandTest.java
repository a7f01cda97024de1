package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private String cluster(int agentPort) throws IOException {
        Path file = folder.resolve("cluster.yaml");
        return Files.writeString(file, """
                name: test
                secret-file: %1$s/secret
                journal-directory: %1$s/journal
                sites: [{id: 1, name: shop}]
                nodes:
                  - {id: 1, name: web-1, rdma: "127.0.0.1:9001", agent: "127.0.0.1:%2$d", role: shop/proxy,
                     server: {kind: httpd, address: "127.0.0.1:3", admin: "127.0.0.1:4", role-file: %1$s/r.conf,
                              config: %1$s/httpd.conf, pid-file: %1$s/pid, program: %1$s/httpd}}
                  - {id: 2, name: web-2, rdma: "192.0.2.77:9002", agent: "127.0.0.1:2", role: shop/app,
                     server: {address: "192.0.2.77:5", admin: "127.0.0.1:6", role-file: %1$s/role-2.json}}
                witnesses: [web-1]
                """.formatted(folder, agentPort)).toString();
    }

    @Test
    void shouldSayWhatToWriteByHand_whenNoDistributionIsKnown() throws IOException {
        CommandRun run = CommandRun.of("install", "httpd", "--config", cluster(1), "--node", "web-1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("Listen 127.0.0.1:4", "IncludeOptional \"" + folder + "/r.conf\"", "rewrite");
    }

    @Test
    void shouldRefuse_whenTheServerIsOfAnotherKind() throws IOException {
        CommandRun run = CommandRun.of("install", "nginx", "--config", cluster(1), "--node", "web-1");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("beside web-1 is httpd, not nginx");
    }

    @Test
    void shouldNotRemove_whileTheAgentRuns() throws IOException {
        try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRun run = CommandRun.of(
                    "install", "httpd", "--config", cluster(agent.getLocalPort()), "--node", "web-1", "--remove");

            assertThat(run.code()).isEqualTo(3);
            assertThat(run.err()).contains("drain web-1 and stop it");
        }
        CommandRun run = CommandRun.of("install", "httpd", "--config", cluster(1), "--node", "web-1", "--remove");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("nothing is installed");
    }
}
