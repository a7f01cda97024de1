package dev.retier.load.target.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.target.Target;
import dev.retier.load.target.TargetList;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class TargetSourceTest {
    private static final Target A = new Target("127.0.0.1", 18001);
    private static final Target B = new Target("127.0.0.1", 18002);

    private final BlockingQueue<TargetList> arrived = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    @Test
    void shouldReportTheFileAgain_whenItChanges() throws Exception {
        Path file = write("{\"epoch\":1,\"targets\":[\"127.0.0.1:18001\"]}");
        try (TargetSource.Subscription subscription = TargetSource.file(file).follow("shop", arrived::add)) {
            assertThat(subscription).isNotNull();
            assertThat(next()).isEqualTo(new TargetList(1, "", List.of(A)));

            write("half a fi");
            write("{\"epoch\":2,\"targets\":[\"127.0.0.1:18002\"]}");

            assertThat(next()).isEqualTo(new TargetList(2, "", List.of(B)));
        }
    }

    @Test
    void shouldRefuseAtOnce_whenTheFirstReadingFails() throws IOException {
        Path missing = folder.resolve("none.json");
        assertThatThrownBy(() -> TargetSource.file(missing).follow("shop", arrived::add))
                .isInstanceOf(LoadException.class)
                .hasMessage("target file " + missing + ": does not exist; check the path");
        Path bad = write("{}");
        assertThatThrownBy(() -> TargetSource.file(bad).follow("shop", arrived::add))
                .hasMessageContaining("has no array 'targets'");
    }

    @Test
    void shouldFollowByLongPoll_whenAnAgentServesAndAnotherIsDead() throws Exception {
        try (TestAgent agent = TestAgent.start("shop", 12, "127.0.0.1:18001")) {
            TargetSource source = TargetSource.agents(List.of(deadAgent(), agent.uri()), AgentAccess.OPEN);
            try (TargetSource.Subscription subscription = source.follow("shop", arrived::add)) {
                assertThat(subscription).isNotNull();
                assertThat(next()).isEqualTo(new TargetList(12, "shop", List.of(A)));
                assertThat(agent.awaitPoll()).isEqualTo("\"12\" wait=20");

                agent.publish(13, "127.0.0.1:18002");

                assertThat(next()).isEqualTo(new TargetList(13, "shop", List.of(B)));
                assertThat(agent.awaitPoll()).isEqualTo("\"13\" wait=20");
            }
        }
    }

    @Test
    void shouldKeepPolling_whenAPollEndsWithoutNews() throws Exception {
        try (TestAgent agent = TestAgent.start("shop", 12, "127.0.0.1:18001")) {
            TargetSource source = TargetSource.agents(List.of(agent.uri()), AgentAccess.OPEN);
            try (TargetSource.Subscription subscription = source.follow("shop", arrived::add)) {
                assertThat(subscription).isNotNull();
                next();
                agent.awaitPoll();
                agent.endPollWithoutNews();
                assertThat(agent.awaitPoll()).isEqualTo("\"12\" wait=20");
                assertThat(arrived).isEmpty();
            }
        }
    }

    @Test
    void shouldRefuse_whenAgentsAreNoUrls() {
        assertThatThrownBy(() -> TargetSource.agents(List.of(), AgentAccess.OPEN))
                .hasMessageContaining("give 1..");
        assertThatThrownBy(() -> TargetSource.agents(List.of(URI.create("localhost:7001")), AgentAccess.OPEN))
                .hasMessageContaining("is no http://host:port");
        assertThatThrownBy(() -> TargetSource.fixed(List.of())).hasMessageContaining("at least one host:port");
    }

    private TargetList next() throws InterruptedException {
        @Nullable TargetList list = arrived.poll(15, TimeUnit.SECONDS);
        assertThat(list).isNotNull();
        return java.util.Objects.requireNonNull(list);
    }

    private Path write(String text) throws IOException {
        Path staged = Files.writeString(folder.resolve("targets.json.new"), text);
        return Files.move(staged, folder.resolve("targets.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static URI deadAgent() throws IOException {
        try (ServerSocket reserved = new ServerSocket(0)) {
            return URI.create("http://127.0.0.1:" + reserved.getLocalPort());
        }
    }
}
