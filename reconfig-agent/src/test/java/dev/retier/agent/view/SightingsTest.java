package dev.retier.agent.view;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.link.NodeId;
import dev.retier.state.Epochs;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SightingsTest {
    private static final Epochs EPOCHS = new Epochs(List.of(SHOP));
    private static final Patience PATIENCE =
            new Patience(Duration.ofNanos(100), Duration.ofNanos(1_000), Duration.ofNanos(300));
    private static final RoleWord WORD = RoleWord.active(3, 1, APP);
    private static final LoadRecord LOAD = new LoadRecord(7, Health.UP, 0.5, 0, 0, 0, 0, 1_000, 0);
    private static final SlotReading SEEN = new SlotReading.Known(WORD, LOAD, 1, 1, 0);
    private static final SlotReading LOST = new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT);

    private static Map<NodeId, SlotReading> readings(SlotReading reading) {
        return Map.of(node(1), reading);
    }

    private static NodeView only(Sightings sightings, Set<NodeId> silent, long nowNanos) {
        return sightings
                .view(new Probes(Set.of(), silent, nowNanos), PATIENCE, nowNanos)
                .nodes()
                .values()
                .iterator()
                .next();
    }

    @Test
    void shouldShowTheSlot_whenItWasRead() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0);
        assertThat(only(sightings, Set.of(), 0)).isEqualTo(new NodeView.Known(node(1), WORD, LOAD));
    }

    @Test
    void shouldHaveNothingToShow_whenItWasNeverRead() {
        Sightings sightings = Sightings.none().after(readings(LOST), 0);
        NodeView shown = only(sightings, Set.of(node(1)), 1_000);
        assertThat(shown).isEqualTo(new NodeView.NeverSeen(node(1), SlotReading.Reason.TIMED_OUT, true));
        assertThat(shown.isServing()).isFalse();
    }

    @Test
    void shouldCallAnUnseenNodeDead_whenItsServerIsSilentTooAfterTheBound() {
        Sightings sightings = Sightings.none().after(readings(LOST), 0);
        assertThat(sightings.view(Probes.NONE, PATIENCE, 1_000).unseen())
                .as("nobody was asked")
                .isEqualTo(1);
        Probes silent = new Probes(Set.of(), Set.of(node(1)), 99);
        assertThat(sightings.view(silent, PATIENCE, 99).unseen()).isEqualTo(1);
        assertThat(sightings.view(silent, PATIENCE, 100).unseen()).isZero();
        assertThat(sightings
                        .after(readings(SEEN), 50)
                        .view(silent, PATIENCE, 60)
                        .unseen())
                .isZero();
    }

    @Test
    void shouldRememberTheLastSlot_whenItIsLost() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(LOST), 10);
        NodeView shown = only(sightings, Set.of(), 10);
        assertThat(shown)
                .isEqualTo(new NodeView.Silent(node(1), WORD, LOAD, SlotReading.Reason.TIMED_OUT, Silence.UNKNOWN));
        assertThat(shown.isServing()).isTrue();
    }

    @Test
    void shouldKnowTheRoleButNoLoad_whenTheNodeSaysThatItsServerIsMute() {
        RoleWord newer = RoleWord.active(4, 1, PROXY);
        LoadRecord empty = new LoadRecord(0, Health.MUTE, 0, 0, 0, 0, 0, 0, 0);
        SlotReading mute = new SlotReading.Known(newer, empty, 2, 1, 0);
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(mute), 10);
        assertThat(only(sightings, Set.of(), 10))
                .isEqualTo(new NodeView.Silent(node(1), newer, LOAD, SlotReading.Reason.MUTE, Silence.UNKNOWN));
        assertThat(sightings.toProbe(PATIENCE, 110)).containsExactly(node(1));

        Sightings first = Sightings.none().after(readings(mute), 10);
        assertThat(only(first, Set.of(), 10))
                .as("at the first sight")
                .isEqualTo(new NodeView.Silent(node(1), newer, empty, SlotReading.Reason.MUTE, Silence.UNKNOWN));
    }

    @Test
    void shouldCountTheSilenceFromTheFirstLoss_whenItGoesOn() {
        Sightings sightings = Sightings.none()
                .after(readings(SEEN), 0)
                .after(readings(LOST), 10)
                .after(readings(LOST), 60);
        assertThat(sightings.toProbe(PATIENCE, 109)).isEmpty();
        assertThat(sightings.toProbe(PATIENCE, 110)).containsExactly(node(1));
    }

    @Test
    void shouldCallANodeDead_whenItsServerIsSilentTooAfterTheBound() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(LOST), 10);
        assertThat(only(sightings, Set.of(node(1)), 109).isServing()).isTrue();
        assertThat(only(sightings, Set.of(), 110).isServing()).isTrue();
        assertThat(only(sightings, Set.of(node(1)), 110).isServing()).isFalse();
    }

    /** Its server answers all the time: the agent alone is gone. */
    @Test
    void shouldCallANodeStranded_whenItsOrderHasOutlivedAMoveAndItsAgentIsGone() {
        SlotReading ordered = new SlotReading.Known(WORD.ordered(4, 1, PROXY), LOAD, 2, 1, 0);
        Sightings sightings = Sightings.none()
                .after(readings(SEEN), 0)
                .after(readings(ordered), 50)
                .after(readings(ordered), 500)
                .after(readings(LOST), 900);
        assertThat(silence(sightings, 1_049)).isEqualTo(Silence.UNKNOWN);
        assertThat(silence(sightings, 1_050)).isEqualTo(Silence.STRANDED);
        assertThat(only(sightings, Set.of(), 1_050).isServing()).isFalse();
        assertThat(sightings.view(Probes.NONE, PATIENCE, 1_049).ordered(SHOP)).hasSize(1);
        assertThat(sightings.view(Probes.NONE, PATIENCE, 1_050).ordered(SHOP)).isEmpty();

        Sightings missedOnce = sightings.after(readings(ordered), 1_100).after(readings(LOST), 1_200);
        assertThat(silence(missedOnce, 1_299)).isEqualTo(Silence.UNKNOWN);
        assertThat(silence(missedOnce, 1_300)).isEqualTo(Silence.STRANDED);
        assertThat(((NodeView.Silent) only(missedOnce, Set.of(node(1)), 1_300)).isDead())
                .isTrue();
    }

    @Test
    void shouldNotCallANodeStranded_whenItHasNoOrderOrANewOne() {
        SlotReading ordered = new SlotReading.Known(WORD.ordered(4, 1, PROXY), LOAD, 2, 1, 0);
        Sightings resting = Sightings.none().after(readings(SEEN), 0).after(readings(LOST), 10);
        assertThat(silence(resting, 5_000)).isEqualTo(Silence.UNKNOWN);

        Sightings late = Sightings.none()
                .after(readings(SEEN), 0)
                .after(readings(ordered), 4_500)
                .after(readings(LOST), 4_600);
        assertThat(silence(late, 5_000)).isEqualTo(Silence.UNKNOWN);
    }

    private static Silence silence(Sightings sightings, long nowNanos) {
        return ((NodeView.Silent) only(sightings, Set.of(), nowNanos)).silence();
    }

    private static SlotReading in(long incarnation, Health health) {
        return new SlotReading.Known(WORD, new LoadRecord(7, health, 0, 0, 0, 0, 0, 1_000, 0), 1, incarnation, 0);
    }

    private static boolean isStarting(Sightings sightings, long nowNanos) {
        return ((NodeView.Known) only(sightings, Set.of(), nowNanos)).isStarting();
    }

    @Test
    void shouldCallAServerStarting_untilItsGraceIsOver() {
        Sightings sightings =
                Sightings.none().after(readings(in(5, Health.DOWN)), 50).after(readings(in(5, Health.DOWN)), 200);
        assertThat(isStarting(sightings, 349)).isTrue();
        assertThat(sightings.view(Probes.NONE, PATIENCE, 349).starting(APP)).isEqualTo(1);
        assertThat(sightings.view(Probes.NONE, PATIENCE, 349).starting(PROXY)).isZero();
        assertThat(sightings.view(Probes.NONE, PATIENCE, 349).serving(APP)).isEmpty();
        assertThat(isStarting(sightings, 350)).isFalse();
        assertThat(sightings.view(Probes.NONE, PATIENCE, 350).starting(APP)).isZero();
    }

    @Test
    void shouldCallAServerStarting_onlyUntilItsFirstAnswer() {
        Sightings up = Sightings.none().after(readings(in(5, Health.DOWN)), 0).after(readings(in(5, Health.UP)), 50);
        assertThat(isStarting(up, 50)).isFalse();
        assertThat(isStarting(up.after(readings(in(5, Health.DOWN)), 60), 60)).isFalse();
        Sightings lost = up.after(readings(LOST), 70).after(readings(in(5, Health.DOWN)), 80);
        assertThat(isStarting(lost, 80)).as("unknown in between").isFalse();
        assertThat(isStarting(lost.after(readings(in(6, Health.DOWN)), 400), 699))
                .as("its agent has started again")
                .isTrue();
    }

    @Test
    void shouldCallAServerStarting_whoseIncarnationIsNumberedZero() {
        assertThat(isStarting(Sightings.none().after(readings(in(0, Health.DOWN)), 500), 500))
                .isTrue();
    }

    private static final long SECOND = 1_000_000_000L;
    private static final Patience USUAL =
            new Patience(Duration.ofSeconds(2), Duration.ofSeconds(39), Duration.ofSeconds(30));
    private static final SlotReading STANDS = new SlotReading.Unknown(SlotReading.Reason.STALE);
    private static final Probes ANSWERED = new Probes(Set.of(node(1)), Set.of(), 12 * SECOND);

    private static Silence silence(Sightings sightings, Probes probes, long nowNanos) {
        NodeView shown = sightings.view(probes, USUAL, nowNanos).nodes().get(node(1));
        return ((NodeView.Silent) Objects.requireNonNull(shown)).silence();
    }

    @Test
    void shouldCallANodeLate_whenItsHeartbeatStandsAndItsServerAnswers() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(STANDS), 10 * SECOND);
        assertThat(sightings.toProbe(USUAL, 10 * SECOND)).as("asked at once").containsExactly(node(1));
        assertThat(silence(sightings, ANSWERED, 14 * SECOND)).isEqualTo(Silence.LATE);
        ClusterView view = sightings.view(ANSWERED, USUAL, 14 * SECOND);
        assertThat(view.unknownShare()).isZero();
        assertThat(view.known()).isEmpty();
        assertThat(view.serving(APP)).extracting(NodeView::standingLoad).containsExactly(LOAD);
    }

    @Test
    void shouldCallANodeUnknown_whenNobodyHasAskedItsServerOfLate() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(STANDS), 10 * SECOND);
        assertThat(silence(sightings, ANSWERED, 14 * SECOND + 1)).isEqualTo(Silence.UNKNOWN);
        assertThat(silence(sightings, Probes.NONE, 10 * SECOND)).isEqualTo(Silence.UNKNOWN);
        ClusterView view = sightings.view(Probes.NONE, USUAL, 10 * SECOND);
        assertThat(view.unknownShare()).isEqualTo(1);
        assertThat(view.serving(APP)).extracting(NodeView::standingLoad).containsNull();
    }

    @Test
    void shouldCallANodeLate_forTenSecondsAtMost() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(STANDS), 10 * SECOND);
        Probes again = new Probes(Set.of(node(1)), Set.of(), 19 * SECOND);
        assertThat(silence(sightings, again, 20 * SECOND - 1)).isEqualTo(Silence.LATE);
        assertThat(silence(sightings, again, 20 * SECOND)).isEqualTo(Silence.UNKNOWN);
    }

    @Test
    void shouldCallANodeUnknown_whenThereIsNoConnectionToIt() {
        Sightings sightings = Sightings.none().after(readings(SEEN), 0).after(readings(LOST), 11 * SECOND);
        assertThat(sightings.toProbe(USUAL, 12 * SECOND)).isEmpty();
        assertThat(silence(sightings, ANSWERED, 12 * SECOND)).isEqualTo(Silence.UNKNOWN);
    }

    /** It may drown in its own move: its site waits until the move is overdue. */
    @Test
    void shouldWaitForANodeThatIsLate_whenItIsOnItsWay() {
        SlotReading ordered = new SlotReading.Known(WORD.ordered(4, 1, PROXY), LOAD, 2, 1, 0);
        Sightings sightings = Sightings.none().after(readings(ordered), 0).after(readings(STANDS), 10 * SECOND);
        assertThat(silence(sightings, ANSWERED, 14 * SECOND)).isEqualTo(Silence.LATE);
        assertThat(sightings.view(ANSWERED, USUAL, 14 * SECOND).ordered(SHOP)).hasSize(1);
    }

    @Test
    void shouldForgetTheSilence_whenTheNodeIsBack() {
        Sightings sightings = Sightings.none()
                .after(readings(SEEN), 0)
                .after(readings(LOST), 10)
                .after(readings(SEEN), 500)
                .after(readings(LOST), 510);
        assertThat(sightings.toProbe(PATIENCE, 600)).isEmpty();
    }

    @Test
    void shouldLeaveADownServerOut_whenItsAgentSaysSo() {
        assertThat(known(1, WORD, Health.DOWN, 0).isServing()).isFalse();
        assertThat(known(1, WORD, Health.LEAVING, 0).isServing()).isTrue();
    }

    @Test
    void shouldStampBySite_whenMovesAreOrderedAndEnded() {
        RoleWord ordered = WORD.ordered(4, 2, PROXY);
        assertThat(view(known(1, PROXY), known(2, WORD)).stamp(SHOP, EPOCHS)).isEqualTo(7);
        assertThat(view(known(1, PROXY), known(2, ordered)).stamp(SHOP, EPOCHS)).isEqualTo(8);
        assertThat(view(known(1, PROXY), known(2, ordered.completed())).stamp(SHOP, EPOCHS))
                .isEqualTo(9);
        assertThat(view(known(1, PROXY), known(2, ordered.rolledBack())).stamp(SHOP, EPOCHS))
                .isEqualTo(9);
    }

    @Test
    void shouldGoOnFromTheNewestEpoch_whenOnlyFilesStillShowIt() {
        assertThat(view(known(1, PROXY), known(2, WORD)).maxEpoch()).isEqualTo(3);
        assertThat(view(known(1, PROXY), known(2, WORD, Health.UP, 2 * 8 + 1)).maxEpoch())
                .isEqualTo(8);
        assertThat(view(known(1, WORD, Health.UP, Long.MAX_VALUE)).maxEpoch()).isEqualTo(3);
    }

    @Test
    void shouldGiveOnlySettledNodesToTheFence_whenSomeAreOnTheirWay() {
        RoleWord other = RoleWord.active(2, 0, Role.serving(new SiteId(2), Tier.APP));
        RoleWord spare = RoleWord.active(1, 0, Role.SPARE);
        ClusterView view = view(known(1, WORD), known(2, WORD.ordered(4, 2, PROXY)), known(3, other), known(4, spare));
        assertThat(view.movable(SHOP)).isEqualTo(Map.of(node(1), WORD, node(4), spare));
    }

    @Test
    void shouldBeAThirdUnknown_whenOneOfThreeIs() {
        NodeView unseen = new NodeView.NeverSeen(node(3), SlotReading.Reason.NOT_CONNECTED, false);
        assertThat(view(known(1, PROXY), known(2, APP), unseen).unknownShare())
                .as("no more than the share that may be unknown")
                .isEqualTo(DecisionRules.DEFAULTS.maxUnknownShare());
    }

    @Test
    void shouldListNodesByRoleAndOrder_whenAsked() {
        ClusterView view = view(known(1, PROXY), known(2, APP), known(3, WORD.ordered(4, 2, PROXY)));
        assertThat(view.serving(PROXY)).extracting(NodeView::id).containsExactly(node(1));
        assertThat(view.serving(APP)).extracting(NodeView::id).containsExactly(node(2));
        assertThat(view.ordered(SHOP)).extracting(NodeView::id).containsExactly(node(3));
        assertThat(view.maxEpoch()).isEqualTo(4);
        assertThat(view.unknownShare()).isZero();
    }
}
