package dev.retier.fabric.regions;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRecord;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.fabric.directory.Shape;
import dev.retier.link.Counters;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What node 1 asks node 2, whose answer is given by hand. */
@Timeout(60)
class DirectoryCallsTest {
    private static final RegionRequest LOOK_UP = new RegionRequest.LookUp(new RegionName("orders"));

    private final MemoryNodes nodes = new MemoryNodes(2, MemoryNodes.LIMITS).openAll();
    private final DirectoryCalls asking = calls(1);
    private final CompletableFuture<RegionRequest> asked = new CompletableFuture<>();
    private final CompletableFuture<RegionAnswer> answer = new CompletableFuture<>();

    DirectoryCallsTest() {
        asking.serve((_, _) -> new CompletableFuture<>());
        calls(2).serve((_, request) -> {
            asked.complete(request);
            return answer;
        });
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldAnswerByACallBack_whenItIsKnownLater() {
        CompletableFuture<RegionAnswer> heard = asking.ask(node(2), LOOK_UP, PATIENCE);
        assertThat(asked.join()).isEqualTo(LOOK_UP);
        assertThat(heard).isNotDone();
        answer.complete(new RegionAnswer.Done());

        assertThat(heard.join()).isEqualTo(new RegionAnswer.Done());
    }

    @Test
    void shouldRefuse_whenTheRequestFailsAfterItWasTaken() {
        CompletableFuture<RegionAnswer> heard = asking.ask(node(2), LOOK_UP, PATIENCE);
        asked.join();
        answer.completeExceptionally(new IllegalStateException("a fault, as planned"));

        assertThat(heard.join().isRefusal(RegionFailure.MALFORMED)).isTrue();
    }

    @Test
    void shouldRefuse_whenTheRequestIsTooLong() {
        Map<NodeId, Permissions> grants = new HashMap<>();
        for (int i = 1; i <= RegionRecord.Rights.MAX_GRANTS; i++) {
            grants.put(node(i), Permissions.ALL);
        }
        Shape shape = new Shape(4096 * RegionSpec.MAX_PARTS, 4096);
        RegionRecord wide = new RegionRecord(
                new RegionName("wide"),
                1,
                0,
                shape,
                Collections.nCopies(shape.parts(), node(2)),
                new RegionRecord.Rights(Permissions.ALL, grants));
        RegionRequest report = new RegionRequest.Report(Optional.of(wide), Optional.of(wide));

        assertThat(asking.ask(node(2), report, PATIENCE))
                .isCompletedWithValueMatching(none -> none.isRefusal(RegionFailure.MALFORMED));
    }

    private DirectoryCalls calls(int node) {
        return new DirectoryCalls(nodes.at(node), new Counters(List.of(RegionMetric.values())), Duration.ofMillis(300));
    }
}
