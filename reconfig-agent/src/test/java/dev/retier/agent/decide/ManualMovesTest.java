package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.decide.ManualMoves.OwnPast;
import dev.retier.agent.decide.ManualMoves.Past;
import dev.retier.agent.decide.ManualMoves.Undo;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManualMovesTest {
    private static final SiteConfig SHOP =
            new SiteConfig(Clusters.SHOP, "shop", List.of(), 1, null, new TierBounds(1, 2), new TierBounds(1, 4), null);
    private static final DecisionRules RULES = DecisionRules.DEFAULTS.withMovesPerHour(1);
    private static final Duration SETTLING = Duration.ofMillis(250);
    private static final Duration LONGEST = MoveRules.DEFAULTS.total();
    private static final long NOW = 1_000_000_000_000L;

    private Policy policy = new Policy(
            Mode.ACT,
            RULES,
            Duration.ZERO,
            SETTLING,
            List.of(SHOP),
            Map.of(node(4), new Policy.Machine("web-4", ServerKind.HAPROXY)),
            LONGEST,
            Optional.empty());

    private Decision decide(ClusterView view, Role to, int id) {
        return decide(view, new Wish(node(id), to, Past.NOTHING));
    }

    private Decision decide(ClusterView view, Wish wish) {
        return ManualMoves.decide(view, History.none().after(view, policy, NOW), policy, wish, NOW);
    }

    private static ClusterView oneProxyThreeApps() {
        return view(known(1, PROXY), known(2, APP), known(3, APP), known(4, APP));
    }

    private void assertRefused(Decision decision, StayReason reason) {
        assertThat(decision).isInstanceOf(Decision.Stay.class);
        assertThat(decision.reasonWord()).isEqualTo(reason.name());
    }

    @Test
    void shouldMove_thoughNothingIsPressed() {
        assertThat(decide(oneProxyThreeApps(), PROXY, 2)).isInstanceOfSatisfying(Decision.Change.class, move -> {
            assertThat(move.first().from()).isEqualTo(APP);
            assertThat(move.first().to()).isEqualTo(PROXY);
            assertThat(move.reason()).isEqualTo(MoveReason.OPERATOR);
            assertThat(move.sites()).containsExactly(Clusters.SHOP);
        });
    }

    @Test
    void shouldMoveByForceAlone_whenAConfigurationDiffers() {
        ClusterView differing = oneProxyThreeApps().differing(Set.of(node(4)));
        Decision refused = decide(differing, PROXY, 2);
        assertRefused(refused, StayReason.CONFIG_DIFFERS);
        assertThat(refused.detail()).contains("web-4 has another cluster file");
        assertThat(decide(differing, new Wish(node(2), PROXY, Past.FORCE))).isInstanceOf(Decision.Change.class);
    }

    /** Whoever has the volume would lose it, however sure the operator is. */
    @Test
    void shouldLeaveWhoHoldsVolumesWhereItIs_alsoWhenForced() {
        ClusterView holding = oneProxyThreeApps().holdingVolumes(Set.of(node(2)));
        assertRefused(decide(holding, PROXY, 2), StayReason.HOLDS_VOLUMES);
        assertRefused(decide(holding, new Wish(node(2), PROXY, Past.FORCE)), StayReason.HOLDS_VOLUMES);
        Decision drained = decide(holding, new Wish(node(2), Role.DRAINED, Past.FORCE));
        assertRefused(drained, StayReason.HOLDS_VOLUMES);
        assertThat(drained.detail()).contains("node-2 holds volumes, so it stays");
        assertThat(decide(holding, PROXY, 3)).isInstanceOf(Decision.Change.class);
    }

    @Test
    void shouldKeepTheBoundsOfEachTier_alsoWhenForced() {
        ClusterView two = view(known(1, PROXY), known(2, APP));
        assertRefused(decide(two, new Wish(node(1), APP, Past.FORCE)), StayReason.DONOR_AT_MINIMUM);
        assertRefused(decide(two, new Wish(node(2), Role.DRAINED, Past.FORCE)), StayReason.DONOR_AT_MINIMUM);
        ClusterView full = view(known(1, PROXY), known(2, PROXY), known(3, APP), known(4, Role.SPARE));
        assertRefused(decide(full, new Wish(node(4), PROXY, Past.FORCE)), StayReason.RECEIVER_AT_MAXIMUM);
    }

    @Test
    void shouldRefuse_whenThereIsNothingToMoveOrItCannotServe() {
        assertRefused(decide(oneProxyThreeApps(), APP, 2), StayReason.ALREADY_THERE);
        ClusterView spareProxyServer = view(known(1, PROXY), known(2, APP), known(4, Role.SPARE));
        assertRefused(decide(spareProxyServer, APP, 4), StayReason.CANNOT_SERVE);
    }

    @Test
    void shouldRefuse_whenTheNodeOrTooMuchIsUnknown() {
        ClusterView down = view(known(1, PROXY), known(2, APP), known(3, RoleWord.active(0, 0, APP), Health.DOWN, 0));
        assertRefused(decide(down, PROXY, 3), StayReason.NODE_UNKNOWN);
        NodeView.NeverSeen never = new NodeView.NeverSeen(node(3), SlotReading.Reason.NOT_CONNECTED, false);
        assertRefused(
                decide(view(known(1, PROXY), known(2, APP), never, known(4, APP)), PROXY, 3), StayReason.NODE_UNKNOWN);
        assertRefused(decide(view(known(1, PROXY), never), APP, 1), StayReason.TOO_MUCH_UNKNOWN);
    }

    @Test
    void shouldRefuse_whenTheNodeCannotWriteItsJournal() {
        ClusterView full = view(
                known(1, PROXY),
                known(2, RoleWord.active(0, 0, APP), Health.UNMOVABLE, 0),
                known(3, APP),
                known(4, APP));
        assertRefused(decide(full, new Wish(node(2), PROXY, Past.FORCE)), StayReason.NODE_UNMOVABLE);
        assertThat(decide(full, PROXY, 3)).isInstanceOf(Decision.Change.class);
    }

    @Test
    void shouldRefuse_whenANodeOfTheSiteIsOnItsWay() {
        RoleWord ordered = RoleWord.active(0, 0, APP).ordered(1, 0, PROXY);
        ClusterView moving = view(known(1, PROXY), known(2, ordered), known(3, APP), known(4, APP));
        assertRefused(decide(moving, PROXY, 3), StayReason.MOVE_IN_FLIGHT);
        assertRefused(decide(moving, Role.DRAINED, 2), StayReason.MOVE_IN_FLIGHT);
    }

    @Test
    void shouldLetASpareGo_whileANodeOfASiteIsOnItsWay() {
        RoleWord ordered = RoleWord.active(0, 0, APP).ordered(1, 0, PROXY);
        ClusterView moving = view(known(1, PROXY), known(2, ordered), known(3, APP), known(4, Role.SPARE));
        assertThat(decide(moving, Role.DRAINED, 4)).isInstanceOf(Decision.Change.class);
    }

    /** Its agent is gone for longer than its move may take. */
    @Test
    void shouldMoveOthers_whenANodeOfTheSiteIsStranded() {
        RoleWord ordered = RoleWord.active(0, 0, APP).ordered(1, 0, PROXY);
        LoadRecord last = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 1_000, 0);
        ClusterView silent =
                view(known(1, PROXY), silent(ordered, last, Silence.UNKNOWN), known(3, APP), known(4, APP));
        assertRefused(decide(silent, new Wish(node(3), PROXY, Past.FORCE)), StayReason.MOVE_IN_FLIGHT);
        ClusterView stranded =
                view(known(1, PROXY), silent(ordered, last, Silence.STRANDED), known(3, APP), known(4, APP));
        assertThat(decide(stranded, new Wish(node(3), PROXY, Past.FORCE))).isInstanceOf(Decision.Change.class);
        assertThat(decide(stranded, PROXY, 3)).isInstanceOf(Decision.Change.class);
        assertRefused(decide(stranded, new Wish(node(2), Role.DRAINED, Past.FORCE)), StayReason.NODE_UNKNOWN);
    }

    private static NodeView silent(RoleWord word, LoadRecord last, Silence silence) {
        return new NodeView.Silent(node(2), word, last, SlotReading.Reason.NOT_CONNECTED, silence);
    }

    @Test
    void shouldRefuse_whenAProxyHasLostItsAgentAndWouldGoOnSending() {
        ClusterView unmanaged = view(
                known(1, RoleWord.active(0, 0, PROXY), Health.LEAVING, 0), known(2, APP), known(3, APP), known(4, APP));
        assertRefused(decide(unmanaged, new Wish(node(2), Role.DRAINED, Past.FORCE)), StayReason.UPSTREAM_UNMANAGED);
    }

    @Test
    void shouldMoveByHandInModeRecommend_andNotInModeObserve() {
        policy = policy.inMode(Mode.RECOMMEND);
        assertThat(decide(oneProxyThreeApps(), PROXY, 2)).isInstanceOf(Decision.Change.class);
        policy = policy.inMode(Mode.OBSERVE);
        assertRefused(decide(oneProxyThreeApps(), PROXY, 2), StayReason.MODE_OBSERVE);
    }

    @Test
    void shouldPassOverTheBudget_whenForcedAndWhenAMoveIsTakenBack() {
        ClusterView after = view(known(1, PROXY), known(2, RoleWord.active(1, 0, PROXY)), known(3, APP), known(4, APP));
        History history =
                History.none().after(oneProxyThreeApps(), policy, NOW).after(after, policy, NOW + 1_000_000_000);
        long now = NOW + 2_000_000_000;
        Wish back = new Wish(node(2), APP, Past.NOTHING);
        assertRefused(ManualMoves.decide(after, history, policy, back, now), StayReason.MOVE_BUDGET_SPENT);
        assertThat(ManualMoves.decide(after, history, policy, new Wish(node(2), APP, Past.FORCE), now))
                .isInstanceOf(Decision.Change.class);
        assertThat(ManualMoves.undo(after, history, NO_PAST, false))
                .as("what is taken back is no move at will")
                .isInstanceOfSatisfying(
                        Undo.Take.class,
                        undo -> assertThat(ManualMoves.decide(after, history, policy, undo.wish(), now))
                                .isInstanceOf(Decision.Change.class));
    }

    private static final OwnPast NO_PAST = new OwnPast(node(1), Optional.empty());

    @Test
    void shouldUndoTheNewestMove_whileNothingCameAfterIt() {
        ClusterView after = view(known(1, PROXY), known(2, RoleWord.active(1, 5, PROXY)), known(3, APP), known(4, APP));
        History history = History.none().after(oneProxyThreeApps(), policy, NOW);
        assertThat(ManualMoves.undo(oneProxyThreeApps(), history, NO_PAST, false))
                .isEqualTo(new Undo.Nothing());
        History seen = history.after(after, policy, NOW + 1);
        assertThat(ManualMoves.undo(after, seen, NO_PAST, true))
                .isEqualTo(new Undo.Take(new Wish(node(2), APP, Past.FORCE)));
        ClusterView later = view(
                known(1, PROXY),
                known(2, RoleWord.active(1, 5, PROXY).ordered(2, 5, APP)),
                known(3, APP),
                known(4, APP));
        assertThat(ManualMoves.undo(later, seen.after(later, policy, NOW + 2), NO_PAST, false))
                .isEqualTo(new Undo.Nothing());
    }

    /** Agents that were started after the move: only that of the node which moved has it, in its journal. */
    @Test
    void shouldSayWhoCanUndo_whenThisAgentHasNotSeenTheNewestMove() {
        ClusterView after = view(known(1, PROXY), known(2, RoleWord.active(7, 5, PROXY)), known(3, APP), known(4, APP));
        History history = History.none().after(after, policy, NOW);
        assertThat(ManualMoves.undo(after, history, NO_PAST, false)).isEqualTo(new Undo.Elsewhere(node(2), 7));
        OwnPast older = new OwnPast(node(1), Optional.of(new CompletedMove(node(1), APP, PROXY, 6)));
        assertThat(ManualMoves.undo(after, history, older, false)).isEqualTo(new Undo.Elsewhere(node(2), 7));
        OwnPast itself = new OwnPast(node(2), Optional.of(new CompletedMove(node(2), APP, PROXY, 7)));
        assertThat(ManualMoves.undo(after, history, itself, false))
                .isEqualTo(new Undo.Take(new Wish(node(2), APP, Past.RESTS)));
    }

    /** The own journal tells that the later epoch of this node came to nothing. */
    @Test
    void shouldUndoNothing_whenTheNodeHasRolledBackAMoveSince() {
        ClusterView after = view(known(1, PROXY), known(2, RoleWord.active(9, 5, PROXY)), known(3, APP), known(4, APP));
        OwnPast own = new OwnPast(node(2), Optional.of(new CompletedMove(node(2), APP, PROXY, 7)));
        assertThat(ManualMoves.undo(after, History.none().after(after, policy, NOW), own, false))
                .isEqualTo(new Undo.Nothing());
    }

    @Test
    void shouldKeepTheGuarantee_unlessForced() {
        SiteConfig promised = new SiteConfig(
                Clusters.SHOP, "shop", List.of(), 1, 240.0, new TierBounds(1, 3), new TierBounds(1, 4), null);
        policy = new Policy(
                Mode.ACT, RULES, Duration.ZERO, SETTLING, List.of(promised), Map.of(), LONGEST, Optional.empty());
        ClusterView busy = view(
                working(1, PROXY, 0.5, 300), working(2, APP, 0.6, 0), working(3, APP, 0.6, 0), working(4, APP, 0.6, 0));
        History history = History.none();
        for (int look = 0; look < 10; look++) {
            history = history.after(busy, policy, NOW + look * 1_000_000_000L);
        }
        long now = NOW + 10_000_000_000L;
        // 300/s at 0.6 of three apps: each carries 167/s, so that two are enough and one is not.
        assertThat(ManualMoves.decide(busy, history, policy, new Wish(node(2), PROXY, Past.NOTHING), now))
                .isInstanceOf(Decision.Change.class);
        ClusterView two = view(working(1, PROXY, 0.5, 300), working(2, APP, 0.9, 0), working(3, APP, 0.9, 0));
        History smaller = history;
        for (int look = 10; look < 20; look++) {
            smaller = smaller.after(two, policy, NOW + look * 1_000_000_000L);
        }
        long later = NOW + 20_000_000_000L;
        Decision refused =
                ManualMoves.decide(two, smaller, policy, new Wish(node(2), Role.DRAINED, Past.NOTHING), later);
        assertRefused(refused, StayReason.DONOR_NEEDS_ITS_GUARANTEE);
        assertThat(refused.detail()).contains("promised 240/s", "delivers 300/s", "would carry about 167/s");
        assertThat(ManualMoves.decide(two, smaller, policy, new Wish(node(2), Role.DRAINED, Past.FORCE), later))
                .isInstanceOf(Decision.Change.class);
    }

    @Test
    void shouldSaySo_whenItIsNotKnownWhatTheTierCarries() {
        SiteConfig promised = new SiteConfig(
                Clusters.SHOP, "shop", List.of(), 1, 240.0, new TierBounds(1, 3), new TierBounds(1, 4), null);
        policy = new Policy(
                Mode.ACT, RULES, Duration.ZERO, SETTLING, List.of(promised), Map.of(), LONGEST, Optional.empty());
        Decision refused = decide(oneProxyThreeApps(), Role.DRAINED, 2);
        assertRefused(refused, StayReason.DONOR_NEEDS_ITS_GUARANTEE);
        assertThat(refused.detail()).contains("not known yet");
    }

    private static NodeView working(int id, Role role, double utilisation, double requestsPerSecond) {
        return new NodeView.Known(
                node(id),
                RoleWord.active(0, 0, role),
                new LoadRecord(0, Health.UP, utilisation, 0, 0, requestsPerSecond, 0, 1_000, 0));
    }

    @Test
    void shouldNotLetANodeRest_whenItWasOnlyFenced() {
        ClusterView fenced = view(known(1, PROXY), known(2, RoleWord.active(0, 7, APP)), known(3, APP), known(4, APP));
        History history = History.none().after(oneProxyThreeApps(), policy, NOW).after(fenced, policy, NOW + 1);
        assertThat(ManualMoves.decide(fenced, history, policy, new Wish(node(2), PROXY, Past.NOTHING), NOW + 2))
                .isInstanceOf(Decision.Change.class);
    }

    @Test
    void shouldPredictWhatIsLeft() {
        History history = History.none().after(oneProxyThreeApps(), policy, NOW);
        assertThat(ManualMoves.prediction(history, APP, node(2))).isEqualTo("app would be at 0.0 without it");
        assertThat(ManualMoves.prediction(history, Role.SPARE, node(2))).isEmpty();
    }
}
