package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.PauseWord;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.Probes;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node starts again above the terms that it has seen, be its clock set back; the disk hears of it seldom. */
class OutgrowTest {
    private static final NodeId SELF = node(2);
    private static final long LEAP = 1_000_000;

    private final AgentLoop<RoleFile> loop = new AgentLoop<>(
            SELF, Clusters.config(1, 3), (_, _, _, _) -> Optional.empty(), new Memory(PauseWord.NONE, false, false));
    private long nowNanos = 1;

    /** What is to be on disk after the next look. */
    private List<Long> outgrown(long highestTerm) {
        Surroundings here = new Surroundings(new RoleWord.Valid(RoleWord.active(0, 0, APP)), 0, highestTerm);
        nowNanos += 2_000_000_000L;
        var looked = new LoopEvent.Looked(here, Map.of(), Probes.NONE, Set.of(), Set.of(), true);
        return Stream.of(new LoopEvent.Woken(here, Set.of()), looked)
                .flatMap(event -> loop.on(event, nowNanos).stream())
                .filter(LoopEffect.Outgrow.class::isInstance)
                .map(effect -> ((LoopEffect.Outgrow<RoleFile>) effect).term())
                .toList();
    }

    @Test
    void shouldKeepATermThatIsFarAheadOfWhatIsOnDisk_once() {
        loop.on(new LoopEvent.Started(List.of()), nowNanos);

        assertThat(outgrown(7)).isEmpty();
        assertThat(outgrown(LEAP)).containsExactly(LEAP);
        assertThat(outgrown(LEAP + 1)).isEmpty();
        assertThat(outgrown(LEAP + Recovery.STRIDE)).containsExactly(LEAP + Recovery.STRIDE);
    }
}
