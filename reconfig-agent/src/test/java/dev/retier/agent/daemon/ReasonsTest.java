package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** What an answer says that is added to by an agent that answers so. */
    private static String detail(String status, String body) throws IOException {
        try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> answer(agent, status, body));
            String file = Files.readString(Path.of("..", "conf", "cluster.yaml"))
                    .replace("agent: 127.0.0.1:18201", "agent: 127.0.0.1:" + agent.getLocalPort());
            RoleWord order = RoleWord.active(3, 0, Clusters.PROXY).ordered(4, 0, Clusters.APP);
            return Reasons.added(
                            Answer.of(Answer.Outcome.ROLLED_BACK),
                            ClusterConfig.parse(file, "cluster.yaml").node(Clusters.node(1)),
                            order,
                            TIMEOUT,
                            AdminConfig.NONE)
                    .body()
                    .path("detail")
                    .asString();
        }
    }

    private static void answer(ServerSocket agent, String status, String body) {
        try (Socket asker = agent.accept()) {
            asker.getInputStream().read(new byte[1_000]);
            String answer = "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            asker.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return; // nobody asks any more
        }
    }

    @Test
    void shouldTellTheWords_whenTheAgentKnowsThem() throws IOException {
        assertThat(detail(
                        "200 OK",
                        "{\"moves\": [{\"epoch\": 4, \"rolled_back_because\": \"X\","
                                + " \"rolled_back_detail\": \"it would not start\"}]}"))
                .isEqualTo("it would not start");
        assertThat(detail("200 OK", "{\"moves\": []}")).contains("does not know why any more");
    }

    @Test
    void shouldTellTheStatus_whenTheAgentRefuses() throws IOException {
        assertThat(detail("401 Unauthorized", "{}"))
                .contains("answered 401 when asked why")
                .doesNotContain("know");
    }
}
