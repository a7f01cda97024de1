package dev.retier.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.fixture.AgentCell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent of which a thread has ended says so to whoever runs it, whatever the thread threw. */
class FailingThreadsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private static void throwException() {
        throw new IllegalStateException("planned");
    }

    private static void throwError() {
        throw new StackOverflowError("planned");
    }

    private static CompletableFuture<Void> end(Agent agent) {
        return CompletableFuture.runAsync(() -> {
            try {
                agent.awaitEnd();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void shouldEnd_whenEitherThreadThrows() throws Exception {
        try (AgentCell cell = AgentCell.start(directory, 1, 4)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));

            cell.failLooking(1, FailingThreadsIT::throwException);
            cell.failLooking(2, FailingThreadsIT::throwError);
            cell.failPublishing(3, FailingThreadsIT::throwException);
            cell.failPublishing(4, FailingThreadsIT::throwError);

            for (Map.Entry<Integer, Class<? extends Throwable>> node : Map.of(
                            1, IllegalStateException.class,
                            2, StackOverflowError.class,
                            3, IllegalStateException.class,
                            4, StackOverflowError.class)
                    .entrySet()) {
                assertThatThrownBy(() -> end(cell.agent(node.getKey())).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(ReconfigException.class)
                        .hasMessageContaining("node-" + node.getKey() + ": a thread of the agent has ended")
                        .hasRootCauseInstanceOf(node.getValue());
            }
            assertThat(end(cell.agent(5))).as("the others go on").isNotDone();
            cell.failPublishing(3, () -> {});
            cell.failPublishing(4, () -> {});
        }
    }

    /** What ends an agent that is not alive must not end one whose server is dead: only the server is to be mended. */
    @Test
    void shouldLive_whenItsServerHasBeenDeadForLongerThanAThreadMayRest() throws Exception {
        Pattern lastAnswer = Pattern.compile("last answer (\\d+) ms ago");
        try (AgentCell cell = AgentCell.start(directory, 1, 1)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            cell.server(2).setDown(true);

            await().atMost(PATIENCE).until(() -> {
                Matcher found = lastAnswer.matcher(cell.ask(2, "/readyz"));
                return found.find() && Long.parseLong(found.group(1)) > 11_000;
            });

            assertThat(cell.ask(2, "/livez")).isEqualTo("ok\n");
        }
    }
}
