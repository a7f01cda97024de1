package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Steps.DONE;
import static dev.retier.fabric.directory.Steps.VERSION;
import static dev.retier.fabric.directory.Steps.answer;
import static dev.retier.fabric.directory.Steps.call;
import static dev.retier.fabric.directory.Steps.effects;
import static dev.retier.fabric.directory.Steps.finish;
import static dev.retier.fabric.directory.Steps.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.directory.RegionRequest.Report;
import dev.retier.link.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the keeper of a name makes of what holders report, after its start and later. */
class DirectoryReportTest {
    private static final NodeId SELF = new NodeId(1);
    private static final NodeId HOLDER = new NodeId(2);
    private static final NodeId OTHER = new NodeId(3);
    private static final Names NAMES = new Names(List.of(SELF, HOLDER, OTHER));
    private static final RegionName NAME = Steps.nameKeptBy(NAMES, SELF, 0);
    private static final RegionRecord REGION = Steps.region(NAME, HOLDER, OTHER);
    /** As the keeper says it anew in its second life. */
    private static final RegionRecord NOW = REGION.inLife(2);

    private static final RegionAnswer AWAY = refused(RegionFailure.NODE_UNREACHABLE);
    private static final RegionAnswer NOT_READY =
            refused(RegionFailure.NOT_READY, NAME + " is being made, changed or looked for");
    private static final RegionAnswer NONE = refused(RegionFailure.NO_SUCH_REGION, "there is no region " + NAME);

    private final Directory directory = new Directory(SELF, NAMES, 2);

    @Test
    void shouldRefuse_whenAReportIsOfNothingOrForAnotherKeeper() {
        RegionAnswer wrong = refused(RegionFailure.MALFORMED, "a report of nothing, or to the wrong keeper");
        assertThat(ask(HOLDER, new Report(Optional.empty(), Optional.empty()))).isEqualTo(wrong);
        RegionRecord foreign = Steps.region(Steps.nameKeptBy(NAMES, HOLDER, 0), HOLDER);
        assertThat(ask(HOLDER, settled(foreign))).isEqualTo(wrong);
    }

    @Test
    void shouldSayTheNewestAnew_whenAllHaveReported() {
        RegionRecord granted = REGION.granted(OTHER, Permissions.NONE);
        hear(HOLDER, settled(REGION));
        hear(OTHER, settled(granted));
        hear(SELF, settled(REGION.renewed().renewed().freed().withVersion(1)));
        reported(SELF, HOLDER);
        assertThat(lookUp()).isEqualTo(NOT_READY);
        reported(OTHER);

        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(granted.inLife(2)));
        assertThat(effects(directory.reconcile()))
                .containsExactlyInAnyOrder(
                        settle(SELF, granted.inLife(2)),
                        settle(HOLDER, granted.inLife(2)),
                        settle(OTHER, granted.inLife(2)));
    }

    @Test
    void shouldFreeWhatIsHalfMade_whenNobodyHasSettledIt() {
        hear(HOLDER, planned(REGION));
        reported(SELF, HOLDER, OTHER);

        assertThat(lookUp()).isEqualTo(NONE);
        RegionRecord freed = REGION.freed().inLife(2);
        assertThat(effects(directory.reconcile())).containsExactly(settle(HOLDER, freed));
        assertThat(ask(SELF, new RegionRequest.Free(NAME, 7))).isEqualTo(DONE);
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isFalse();
    }

    @Test
    void shouldLeaveItAlone_whenWhoMayHaveSettledItHasNotBeenHeard() {
        hear(HOLDER, planned(REGION));
        reported(SELF, HOLDER);
        directory.endGathering();
        assertThat(directory.isUnsettled()).isFalse();
        hear(HOLDER, planned(REGION));
        assertThat(directory.isUnsettled()).isFalse();
        assertThat(lookUp()).isEqualTo(NONE);

        reported(OTHER);
        hear(HOLDER, planned(REGION));
        assertThat(effects(directory.reconcile()))
                .containsExactly(settle(HOLDER, REGION.freed().inLife(2)));
    }

    @Test
    void shouldAdoptIt_whenAHolderComesLate() {
        reported(SELF, HOLDER);
        directory.endGathering();
        assertThat(lookUp()).isEqualTo(NONE);
        hear(OTHER, settled(REGION));
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(NOW));
        assertThat(effects(directory.reconcile())).containsExactly(settle(HOLDER, NOW));
        reported(OTHER);
        assertThat(effects(directory.reconcile())).containsExactlyInAnyOrder(settle(HOLDER, NOW), settle(OTHER, NOW));
    }

    @Test
    void shouldForgetWhatWasReported_whenItHasStoppedToWait() {
        hear(HOLDER, planned(REGION));
        directory.endGathering();
        reported(SELF, OTHER);
        directory.endGathering();
        assertThat(directory.isUnsettled()).isFalse();
    }

    @Test
    void shouldWaitForTheOther_whenAPlanMayHaveGoneThere() {
        RegionRecord one = Steps.region(NAME, HOLDER);
        Report moving = new Report(Optional.of(one), Optional.of(one.moved(HOLDER, OTHER)));
        hear(HOLDER, moving);
        reported(SELF, HOLDER);
        directory.endGathering();
        assertThat(lookUp()).isEqualTo(NOT_READY);
        assertThat(effects(directory.reconcile())).isEmpty();
        reported(OTHER);
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(one.inLife(2)));
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isFalse();

        directory.disconnected(HOLDER);
        hear(HOLDER, new Report(Optional.of(one.inLife(2)), Optional.of(one.moved(HOLDER, OTHER))));
        assertThat(effects(directory.reconcile())).containsExactly(settle(HOLDER, one.inLife(2)));
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(one.inLife(2)));
    }

    @Test
    void shouldWaitForTheOther_whenAHolderThatIsKnownComesBackWithAPlan() {
        RegionRecord one = Steps.region(NAME, HOLDER);
        hear(HOLDER, settled(one));
        reported(SELF, HOLDER);
        directory.endGathering();
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        hear(HOLDER, new Report(Optional.of(one.inLife(2)), Optional.of(one.moved(HOLDER, OTHER))));
        assertThat(lookUp()).isEqualTo(NOT_READY);
        reported(OTHER);
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(one.inLife(2)));
    }

    @Test
    void shouldKeepTheFirst_whenTwoRegionsHaveOneName() {
        hear(HOLDER, settled(REGION));
        hear(OTHER, settled(twin(8)));
        reported(SELF, HOLDER, OTHER);
        assertThat(directory.orphans()).isEqualTo(1);
        hear(HOLDER, settled(twin(9)));
        assertThat(directory.orphans()).isEqualTo(2);
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(NOW));
    }

    @Test
    void shouldTakeWhatIsNewer_whenAHolderHasSettledIt() {
        adopted();
        RegionRecord newer = NOW.moved(OTHER, SELF).withVersion(NOW.version() + 5);
        RegionRecord next = newer.renewed();
        hear(HOLDER, settled(newer));
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(next));
        assertThat(effects(directory.reconcile()))
                .containsExactlyInAnyOrder(settle(SELF, next), settle(HOLDER, next), settle(OTHER, next));
        hear(OTHER, settled(next));
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(next.renewed()));
    }

    @Test
    void shouldTellItAgain_whenAHolderHasSomethingOlderOrOnlyAPlan() {
        adopted();
        hear(HOLDER, settled(NOW));
        assertThat(directory.isUnsettled()).isFalse();
        hear(HOLDER, settled(REGION));
        assertThat(effects(directory.reconcile())).containsExactly(settle(HOLDER, NOW));
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        hear(OTHER, planned(NOW.renewed()));
        assertThat(effects(directory.reconcile())).containsExactly(settle(OTHER, NOW));
    }

    @Test
    void shouldTellItAgain_whenAHolderIsBackWithoutTheRegion() {
        adopted();
        reported(SELF);
        assertThat(directory.isUnsettled()).isFalse();
        hear(OTHER, settled(NOW));
        reported(OTHER);
        assertThat(directory.isUnsettled()).isFalse();
        reported(OTHER);
        assertThat(effects(directory.reconcile())).containsExactly(settle(OTHER, NOW));
    }

    @Test
    void shouldNotListenToHolders_whileItMovesTheRegion() {
        adopted();
        RegionRecord moved = NOW.moved(HOLDER, SELF);
        Reaction move = ask(SELF, new RegionRequest.Move(NAME, 7, HOLDER, SELF));
        hear(OTHER, settled(NOW.withVersion(NOW.version() + 9)));
        reported(HOLDER);
        RegionAnswer keys = new RegionAnswer.Keys(List.of(new PartKey(0, 1, 2)));
        Reaction doubt = answer(answer(answer(move, DONE), keys), DONE);
        assertThat(answer(doubt, AWAY)).isInstanceOf(RegionAnswer.Refused.class);
        hear(OTHER, settled(NOW.withVersion(NOW.version() + 9)));

        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(lookUp()).isEqualTo(new RegionAnswer.Found(moved));
    }

    @Test
    void shouldStillTellTheOneThatMissedAnUndoneMove_whenAHolderKnowsBetter() {
        adopted();
        Reaction undone = answer(ask(SELF, new RegionRequest.Move(NAME, 7, HOLDER, SELF)), AWAY);
        assertThat(answer(undone, AWAY, AWAY, AWAY)).isEqualTo(AWAY);
        RegionRecord newer = NOW.withVersion(NOW.version() + 9);
        hear(OTHER, settled(newer));

        assertThat(effects(directory.reconcile()))
                .containsExactlyInAnyOrder(
                        settle(SELF, newer.renewed()), settle(HOLDER, newer.renewed()), settle(OTHER, newer.renewed()));
    }

    @Test
    void shouldTellItAgain_whenAHolderReportsWhatWasFreed() {
        adopted();
        RegionRecord freed = NOW.renewed().freed();
        Reaction free = ask(SELF, new RegionRequest.Free(NAME, 7));
        boolean holderFirst = effects(free).getFirst().equals(settle(HOLDER, freed));
        answer(free, holderFirst ? DONE : AWAY, holderFirst ? AWAY : DONE);
        assertThat(effects(directory.reconcile())).containsExactly(settle(OTHER, freed));
        hear(HOLDER, settled(NOW));
        Reaction telling = directory.reconcile();
        assertThat(effects(telling)).containsExactlyInAnyOrder(settle(HOLDER, freed), settle(OTHER, freed));
        finish(telling);
        assertThat(directory.isUnsettled()).isFalse();

        hear(HOLDER, settled(NOW));
        assertThat(effects(directory.reconcile()))
                .containsExactly(settle(HOLDER, NOW.freed().inLife(2)));
        assertThat(lookUp()).isEqualTo(NONE);
    }

    @Test
    void shouldTellSixtyFourAtATime_whenManyAreUnsettled() {
        for (int i = 0; i < 66; i++) {
            RegionRecord one = Steps.region(Steps.nameKeptBy(NAMES, SELF, i), HOLDER);
            hear(HOLDER, settled(withId(one, i + 1)));
        }
        reported(SELF, HOLDER, OTHER);
        Reaction first = directory.reconcile();
        assertThat(effects(first)).hasSize(64);
        finish(first);
        assertThat(effects(directory.reconcile())).hasSize(2);
    }

    private void adopted() {
        hear(HOLDER, settled(REGION));
        hear(OTHER, settled(REGION));
        reported(SELF, HOLDER, OTHER);
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isFalse();
    }

    private static RegionRecord twin(long id) {
        return withId(REGION, id);
    }

    private static RegionRecord withId(RegionRecord region, long id) {
        return new RegionRecord(region.name(), id, VERSION, region.shape(), region.placement(), region.rights());
    }

    private static Report settled(RegionRecord region) {
        return new Report(Optional.of(region), Optional.empty());
    }

    private static Report planned(RegionRecord region) {
        return new Report(Optional.empty(), Optional.of(region));
    }

    private static Action settle(NodeId node, RegionRecord region) {
        return call(node, new RegionRequest.Settle(region));
    }

    private Reaction ask(NodeId from, RegionRequest.ToDirectory request) {
        return directory.handle(from, request);
    }

    private void hear(NodeId from, Report report) {
        assertThat(ask(from, report)).isEqualTo(DONE);
    }

    private void reported(NodeId... nodes) {
        for (NodeId node : nodes) {
            assertThat(ask(node, new RegionRequest.Reported())).isEqualTo(DONE);
        }
    }

    private Reaction lookUp() {
        return ask(OTHER, new RegionRequest.LookUp(NAME));
    }
}
