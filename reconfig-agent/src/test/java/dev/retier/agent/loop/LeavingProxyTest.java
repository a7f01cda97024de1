package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Command;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.view.Probes;
import dev.retier.agent.view.Stamps;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One of two proxies is ordered away while an edge of the site may still send to it. */
class LeavingProxyTest {
    private static final long MS = 1_000_000;
    private static final ClusterConfig PLAIN = Clusters.config(2, 2);
    private static final ClusterConfig CONFIG = Clusters.withEdges(PLAIN, "front");
    private static final NodeId SELF = node(2);
    private static final RoleWord ORDER = RoleWord.active(0, 0, PROXY).ordered(5, 1, APP);
    private static final long STAMP = Stamps.ordered(5);
    private static final EdgeWord LET_GO = new EdgeWord("front", STAMP, false);

    private final List<LoopEffect<TestFile>> wanted = new ArrayList<>();
    private final Map<NodeId, RoleWord> words = new HashMap<>(Map.of(
            node(1), RoleWord.active(0, 0, PROXY),
            node(2), RoleWord.active(0, 0, PROXY),
            node(3), RoleWord.active(0, 0, APP),
            node(4), RoleWord.active(0, 0, APP)));
    private AgentLoop<TestFile> loop = loop(CONFIG);
    private long nowNanos = 1_000 * MS;

    private record TestFile(
            long stamp, String role, @Nullable String site) implements RoleFile {}

    private static AgentLoop<TestFile> loop(ClusterConfig config) {
        return new AgentLoop<>(
                SELF,
                config,
                (_, _, _, stamp) -> Optional.of(new TestFile(stamp, "proxy", "shop")),
                new Memory(PauseWord.NONE, false, false));
    }

    private void on(LoopEvent event) {
        wanted.addAll(loop.on(event, nowNanos));
    }

    private <T> Optional<T> last(Class<T> kind) {
        return wanted.stream().filter(kind::isInstance).map(kind::cast).reduce((_, later) -> later);
    }

    private Surroundings here() {
        return new Surroundings(
                new RoleWord.Valid(Optional.ofNullable(words.get(SELF)).orElseThrow()), 0, 0);
    }

    private void looked() {
        Map<NodeId, SlotReading> readings = new HashMap<>();
        words.forEach((id, word) -> readings.put(
                id, new SlotReading.Known(word, known(id.value(), word).load(), 1, 1, 0)));
        on(new LoopEvent.Looked(here(), readings, Probes.NONE, Set.of(), Set.of(), true));
    }

    private void tell(EdgeWord word) {
        on(new LoopEvent.EdgeTold(word));
    }

    private void look(long afterMillis) {
        nowNanos += afterMillis * MS;
        on(new LoopEvent.Woken(here(), Set.of(node(1))));
        looked();
    }

    /** The proxy is under orders, its journal has it, and a look has posted lists without it. */
    private void untilItWaits(ClusterConfig config, EdgeWord... before) {
        loop = loop(config);
        on(new LoopEvent.Started(List.of()));
        looked();
        on(new LoopEvent.Installed(null));
        List.of(before).forEach(this::tell);
        words.put(SELF, ORDER);
        look(10);
        LoopEffect.Append<?> entry = last(LoopEffect.Append.class).orElseThrow();
        assertThat(entry.entry().phase()).isEqualTo(MovePhase.ORDERED);
        on(new LoopEvent.Journalled(entry.entry(), null));
        on(new LoopEvent.Woken(here(), Set.of()));
        looked();
        TargetList list = last(LoopEffect.Post.class).orElseThrow().list();
        assertThat(list.stamp()).isEqualTo(STAMP);
        assertThat(list.targets()).hasSize(1);
    }

    private MovePhase reached() {
        return last(LoopEffect.Append.class).orElseThrow().entry().phase();
    }

    /** An order would be undone after its deadline, and its node would rest for it. */
    @Test
    void shouldOrderNoProxyAway_whenAnEdgeSaysNothing() {
        loop = loop(CONFIG);
        on(new LoopEvent.Started(List.of()));
        looked();
        assertThat(refusal(29_000)).isNotEqualTo("EDGE_NOT_HEARD");
        assertThat(refusal(2_000)).isEqualTo("EDGE_NOT_HEARD");
        tell(LET_GO);
        assertThat(refusal(29_000)).isNotEqualTo("EDGE_NOT_HEARD");
    }

    /** Of a move of the first proxy that is only asked about. */
    private String refusal(long afterMillis) {
        nowNanos += afterMillis * MS;
        on(new LoopEvent.Commanded(nowNanos, new Command.Move("node-1", "shop/app", new Command.Manner(true, false))));
        looked();
        return last(LoopEffect.Reply.class)
                .orElseThrow()
                .answer()
                .body()
                .path("reason")
                .asString("");
    }

    @Test
    void shouldDrain_whenTheEdgeHasLetGo() {
        untilItWaits(CONFIG);
        assertThat(reached()).isEqualTo(MovePhase.ORDERED);

        tell(LET_GO);

        assertThat(reached()).as("at once, not at the next look").isEqualTo(MovePhase.SWITCHING);
    }

    @Test
    void shouldDrainAtOnce_whenTheEdgeWasQuickerThanTheOrder() {
        untilItWaits(CONFIG, LET_GO);

        assertThat(reached()).isEqualTo(MovePhase.SWITCHING);
    }

    @Test
    void shouldDrainAtOnce_whenNoEdgeIsConfigured() {
        untilItWaits(PLAIN);

        assertThat(reached()).isEqualTo(MovePhase.SWITCHING);
    }

    @Test
    void shouldWait_whenTheEdgeRunsAnOlderListOrStillSendsOrIsAnother() {
        untilItWaits(CONFIG, new EdgeWord("front", STAMP - 1, false));
        tell(new EdgeWord("front", STAMP, true));
        tell(new EdgeWord("stranger", STAMP, false));
        look(100);

        assertThat(reached()).isEqualTo(MovePhase.ORDERED);
    }

    @Test
    void shouldWait_whenTheEdgeWasStartedAgainSince() {
        untilItWaits(CONFIG, LET_GO, EdgeWord.unknown("front"));
        assertThat(reached()).isEqualTo(MovePhase.ORDERED);

        tell(LET_GO);

        assertThat(reached()).isEqualTo(MovePhase.SWITCHING);
    }

    @Test
    void shouldForgetWhatWasTold_whenTheEdgeIsAnotherByTheNextClusterFile() {
        loop = loop(PLAIN);
        on(new LoopEvent.Started(List.of()));
        looked();
        tell(LET_GO);
        on(new LoopEvent.Reconfigured(CONFIG));
        look(10);
        words.put(SELF, ORDER);
        look(10);
        on(new LoopEvent.Journalled(last(LoopEffect.Append.class).orElseThrow().entry(), null));
        look(10);

        assertThat(reached()).isEqualTo(MovePhase.ORDERED);
    }

    @Test
    void shouldUndoAndSayWhoHasNotLetGo_whenTheDeadlineHasPassed() {
        untilItWaits(CONFIG, new EdgeWord("front", 3, true));

        look(MoveRules.DEFAULTS.upstreamDeadline().toMillis() + 1);
        on(new LoopEvent.WordSet(new CasOutcome.Won()));

        Notice.MoveReached undone = wanted.stream()
                .filter(LoopEffect.Tell.class::isInstance)
                .map(effect -> ((LoopEffect.Tell<?>) effect).notice())
                .filter(Notice.MoveReached.class::isInstance)
                .map(Notice.MoveReached.class::cast)
                .reduce((_, later) -> later)
                .orElseThrow();
        assertThat(undone.entry().phase()).isEqualTo(MovePhase.ROLLED_BACK);
        assertThat(undone.entry().reason()).isEqualTo(RollbackReason.UPSTREAM_NOT_PROVEN);
        assertThat(undone.detail())
                .startsWith("edge front still sends to it by stamp 3; is `./retier edge --edge front` running");
    }

    @Test
    void shouldServeForTheHold_whenTheSiteHasOne() {
        untilItWaits(Clusters.withHold(CONFIG, Duration.ofSeconds(45)), LET_GO);

        look(44_999);
        assertThat(reached()).isEqualTo(MovePhase.ORDERED);
        look(1);
        assertThat(reached()).isEqualTo(MovePhase.SWITCHING);
    }

    @Test
    void shouldAskTheServerCloselyNoMore_whenTheHoldIsLong() {
        untilItWaits(Clusters.withHold(CONFIG, Duration.ofSeconds(45)), LET_GO);
        assertThat(last(LoopEffect.Hurry.class)).isPresent();
        assertThat(last(LoopEffect.Await.class).orElseThrow().nanos()).isEqualTo(50 * MS);

        wanted.clear();
        look(2_000);
        assertThat(last(LoopEffect.Hurry.class)).isEmpty();
        assertThat(last(LoopEffect.Await.class).orElseThrow().nanos()).isEqualTo(50 * MS);

        look(43_000);
        look(2);
        assertThat(reached()).isEqualTo(MovePhase.SWITCHING);
        assertThat(last(LoopEffect.Hurry.class)).as("the drain").isPresent();
    }

    @Test
    void shouldNotLookMoreOftenThanUsual_whenOnlyEdgesAreWaitedFor() {
        untilItWaits(CONFIG);
        long waitedNanos = 0;
        int looks = 0;
        while (waitedNanos < CONFIG.timing().sensitivity().toNanos() - 10 * MS) {
            waitedNanos += 10 * MS;
            nowNanos += 10 * MS;
            wanted.clear();
            on(new LoopEvent.Woken(here(), Set.of()));
            looks += last(LoopEffect.Look.class).isPresent() ? 1 : 0;
        }

        assertThat(looks).isZero();
    }
}
