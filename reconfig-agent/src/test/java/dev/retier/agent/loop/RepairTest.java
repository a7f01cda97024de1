package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.Probes;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code retier repair} does to a role word that could be true and is not. */
class RepairTest {
    private static final NodeId SELF = node(2);
    private static final RoleWord MOVED = RoleWord.active(3, 0, PROXY).ordered(4, 7, APP);
    private static final RoleWord FORGED = RoleWord.active(9, 3, PROXY);

    private final AgentLoop<TestFile> loop = new AgentLoop<>(
            SELF,
            Clusters.config(1, 3),
            (_, _, role, stamp) -> Optional.of(new TestFile(stamp, role.equals(APP) ? "app" : "proxy", "shop")),
            new Memory(PauseWord.NONE, false, false));
    private List<LoopEffect<TestFile>> wanted = List.of();
    private RoleWord own = MOVED.completed();
    private long nowNanos = 1;

    private record TestFile(
            long stamp, String role, @Nullable String site) implements RoleFile {}

    private void on(LoopEvent event) {
        nowNanos += 1_000_000;
        wanted = new ArrayList<>(loop.on(event, nowNanos));
    }

    private void looked() {
        NodeView.Known seen = known(SELF.value(), own);
        SlotReading reading = new SlotReading.Known(own, seen.load(), 1, 1, 0);
        on(new LoopEvent.Looked(here(), Map.of(SELF, reading), Probes.NONE, Set.of(), Set.of(), true));
    }

    private Surroundings here() {
        return new Surroundings(new RoleWord.Valid(own), 0, 0);
    }

    private <T> List<T> all(Class<T> kind) {
        return wanted.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** An agent whose journal says that its node has become an app server; its word is {@code seen}. */
    private void repair(RoleWord seen, boolean isDryRun) {
        on(new LoopEvent.Started(List.of(new MoveRecord(MOVED, MovePhase.ACTIVE, null))));
        looked();
        own = seen;
        on(new LoopEvent.Commanded(5, new Command.Repair("node-2", isDryRun)));
        looked();
    }

    private Answer answer() {
        assertThat(all(LoopEffect.Reply.class)).hasSize(1);
        return all(LoopEffect.Reply.class).getFirst().answer();
    }

    @Test
    void shouldPutBackTheRoleOfTheJournal_behindAFence() {
        repair(FORGED, false);

        LoopEffect.SetWord<?> set = all(LoopEffect.SetWord.class).getFirst();
        assertThat(set.expected()).isEqualTo(FORGED);
        assertThat(set.next()).as("no epoch goes back").isEqualTo(RoleWord.active(9, 4, APP));
        assertThat(all(LoopEffect.Reply.class)).isEmpty();

        own = set.next();
        on(new LoopEvent.WordSet(new CasOutcome.Won()));
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.DONE);
        assertThat(answer().body().path("role").asString()).isEqualTo("shop/proxy");
        assertThat(answer().body().path("journal").asString()).isEqualTo("shop/app");
    }

    @Test
    void shouldChangeNothing_whenTheWordIsAsTheJournalSaysOrItIsADryRun() {
        repair(MOVED.completed(), false);
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.DONE);
        assertThat(all(LoopEffect.SetWord.class)).isEmpty();

        own = FORGED;
        on(new LoopEvent.Commanded(6, new Command.Repair("node-2", true)));
        looked();
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.CHANGES);
        assertThat(all(LoopEffect.SetWord.class)).isEmpty();
    }

    @Test
    void shouldSayThatItFailed_whenTheWordHasChangedMeanwhile() {
        repair(FORGED, false);

        on(new LoopEvent.WordSet(new CasOutcome.Lost(FORGED.fenced())));

        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.FAILED);

        own = FORGED.fenced();
        on(new LoopEvent.Commanded(6, new Command.Repair("node-2", false)));
        looked();
        assertThat(all(LoopEffect.SetWord.class)).as("the next try").hasSize(1);
        on(new LoopEvent.WordSet(new CasOutcome.Won()));
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.DONE);
    }

    @Test
    void shouldRefuse_whenAMoveIsUnderWayOrTheNodeIsAnother() {
        repair(FORGED.ordered(10, FORGED.fence(), Role.SPARE), false);
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.REFUSED);

        on(new LoopEvent.Commanded(6, new Command.Repair("node-3", false)));
        looked();
        assertThat(answer().outcome()).isEqualTo(Answer.Outcome.BAD_REQUEST);
        assertThat(answer().body().path("detail").asString()).contains("node-2", "node-3", "ask there");
    }
}
