package dev.retier.fabric.locks;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.calls.CallOutcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What node 2 asks node 1 about locks, by hand. */
@Timeout(60)
class LockQuestionsTest {
    /** By which callers find the words of ticket locks. */
    private static final int SHOW = 0xFE00;

    private final MemoryNodes nodes = new MemoryNodes(2, MemoryNodes.LIMITS).openAll();
    private final Locks locks = new Locks(nodes.at(1), Duration.ofSeconds(1));

    @AfterEach
    void close() {
        locks.close();
        nodes.close();
    }

    @Test
    void shouldShowTheSameWords_whenACallerAsksAgain() throws InterruptedException {
        PeerLink link = nodes.link(2, 1);
        byte[] first = answer(link.call(SHOW, new byte[0], PATIENCE).await());

        assertThat(answer(link.call(SHOW, new byte[0], PATIENCE).await())).isEqualTo(first);
        assertThat(first).hasSize(12);
    }

    @Test
    void shouldRefuse_whenAQuestionCannotBe() throws InterruptedException {
        for (int function = SHOW + 1; function <= SHOW + 2; function++) {
            CallOutcome outcome =
                    nodes.at(2).call(node(1), function, new byte[19], PATIENCE).await();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            CallOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("a request of 19 bytes"));
        }
        byte[] noMode = new HomeRequest(HomeRequest.What.ASK, 3, 1, 3).encode();
        assertThat(nodes.at(2).call(node(1), SHOW + 1, noMode, PATIENCE).await())
                .isInstanceOf(CallOutcome.Failed.class);
        for (int length : new int[] {0, 7, 8, 9}) {
            assertThat(answer(nodes.at(2)
                            .call(node(1), SHOW + 3, new byte[length], PATIENCE)
                            .await()))
                    .isEmpty();
        }
    }

    private static byte[] answer(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
        return ((CallOutcome.Answered) outcome).answer();
    }

    @Test
    void shouldRefuseExclusiveLocksAlone_whenTheDeviceHasNoAtomics() throws InterruptedException {
        try (MemoryNodes others = new MemoryNodes(1, MemoryNodes.LIMITS)) {
            others.world().atomics(false, false);
            others.openAll();
            Locks there = new Locks(others.at(1), Duration.ofMillis(300));
            assertThatThrownBy(() -> there.acquire(new LockPlace(node(1), 0), PATIENCE))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("exclusive locks: memory has no atomics");
            assertThat(there.acquireRead(new LockPlace(node(1), 0), PATIENCE)).isPresent();
            there.close();
        }
    }
}
