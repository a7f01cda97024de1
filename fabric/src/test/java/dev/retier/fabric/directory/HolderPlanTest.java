package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Steps.DONE;
import static dev.retier.fabric.directory.Steps.VERSION;
import static dev.retier.fabric.directory.Steps.answer;
import static dev.retier.fabric.directory.Steps.effects;
import static dev.retier.fabric.directory.Steps.finish;
import static dev.retier.fabric.directory.Steps.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parts that are made, sealed and copied for a plan. */
class HolderPlanTest {
    private static final NodeId USER = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final NodeId SELF = new NodeId(3);
    private static final RegionName NAME = new RegionName("accounts");
    private static final RegionAnswer KNOWN = refused(RegionFailure.BUSY, "another plan of accounts is known here");
    private static final RegionAnswer BETWEEN = refused(RegionFailure.BUSY, "another plan of accounts came in between");
    /** Part 0 is here, part 1 is elsewhere. */
    private static final RegionRecord HALF = Steps.region(NAME, SELF, OTHER);

    private static final RegionRecord ALL_HERE = HALF.moved(OTHER, SELF);
    private static final PartId FRESH = new PartId(7, VERSION + 1, 1);
    private static final PartKey SOURCE = new PartKey(1, 8, 9);

    private final Steps.NotedMemory memory = new Steps.NotedMemory();
    private final Holder holder = new Holder(SELF, memory);

    @Test
    void shouldMakeMemoryOfTheRightLengthOnce_whenPartsArePlanned() {
        RegionRecord region = Steps.region(NAME, SELF, OTHER, SELF);

        Reaction step = allocate(region, true, 0, 2);

        assertThat(effects(step))
                .containsExactly(
                        new Action.Allocate(new PartId(7, VERSION, 0), 4096),
                        new Action.Allocate(new PartId(7, VERSION, 2), 100));
        assertThat(answer(step, DONE, DONE)).isEqualTo(DONE);
        Reaction again = allocate(region, true, 0, 2);
        assertThat(effects(again)).isEmpty();
        assertThat(finish(again)).isEqualTo(DONE);
    }

    @Test
    void shouldBeBusy_whenTheMemoryIsBeingMade() {
        allocate(HALF, true, 0);

        assertThat(allocate(HALF, true, 0))
                .isEqualTo(refused(RegionFailure.BUSY, "memory for accounts is being made already"));
    }

    @Test
    void shouldBeBusy_whenAnotherPlanIsKnown() {
        allocate(HALF, true, 0);

        assertThat(allocate(HALF.renewed(), true, 0)).isEqualTo(KNOWN);
        assertThat(seal(HALF.renewed())).isEqualTo(KNOWN);
    }

    @Test
    void shouldBeBusy_whenThePlanIsNotNewerThanWhatIsSettled() {
        hold(HALF);

        assertThat(allocate(HALF, false, 1)).isEqualTo(KNOWN);
        assertThat(seal(HALF)).isEqualTo(KNOWN);
        assertThat(effects(allocate(ALL_HERE, false, 1))).hasSize(1);
    }

    @Test
    void shouldBeBusy_whenThePlanIsNotNewerThanTheEnd() {
        settle(HALF.freed());

        assertThat(allocate(HALF.renewed(), true, 0)).isEqualTo(KNOWN);
        assertThat(effects(allocate(HALF.renewed().renewed(), true, 0))).hasSize(1);
    }

    @Test
    void shouldForgetTheRegion_whenThereIsNoMemory() {
        Reaction step = allocate(ALL_HERE, true, 0, 1);
        RegionAnswer full = refused(RegionFailure.NO_SPACE);

        assertThat(answer(step, DONE, full)).isEqualTo(full);

        assertThat(memory.released).containsExactly(new PartId(7, VERSION + 1, 0));
        assertThat(reports()).isEmpty();
        assertThat(plans()).isEmpty();
        assertThat(effects(allocate(HALF, true, 0))).hasSize(1);
    }

    @Test
    void shouldKeepWhatIsSettled_whenThereIsNoMemoryForMore() {
        hold(HALF);

        answer(allocate(ALL_HERE, false, 1), refused(RegionFailure.NO_SPACE));

        assertThat(memory.released).isEmpty();
        assertThat(reports()).containsExactly(new RegionRequest.Report(Optional.of(HALF), Optional.empty()));
        assertThat(plans()).isEmpty();
    }

    @Test
    void shouldGiveMemoryBack_whenTheRegionEndedWhileItWasMade() {
        Reaction step = allocate(HALF, true, 0);
        finish(settle(HALF.freed()));
        assertThat(memory.released).isEmpty();

        assertThat(answer(step, DONE)).isEqualTo(BETWEEN);
        assertThat(memory.released).containsExactly(new PartId(7, VERSION, 0));
    }

    @Test
    void shouldGiveMemoryBack_whenThePlanWasGivenUpWhileItWasMade() {
        hold(HALF);
        Reaction step = allocate(ALL_HERE, false, 1);
        finish(settle(HALF.withVersion(VERSION + 2)));

        assertThat(answer(step, DONE)).isEqualTo(BETWEEN);
        assertThat(memory.released).containsExactly(FRESH);
    }

    @Test
    void shouldReportPlans_untilTheyAreSettled() {
        Names names = new Names(List.of(SELF));
        allocate(HALF, true, 0);
        RegionRequest.Report planned = new RegionRequest.Report(Optional.empty(), Optional.of(HALF));
        assertThat(reports()).containsExactly(planned);
        assertThat(plans()).containsExactly(planned);
        assertThat(holder.reports(names, OTHER)).isEmpty();
        assertThat(holder.plans(names, OTHER)).isEmpty();

        Holder second = new Holder(SELF, memory);
        finish(second.handle(OTHER, new RegionRequest.Allocate(HALF, true, List.of(0))));
        finish(second.handle(OTHER, new RegionRequest.Settle(HALF)));
        assertThat(second.plans(names, SELF)).isEmpty();
        second.handle(OTHER, new RegionRequest.Seal(ALL_HERE, USER));
        assertThat(second.plans(names, SELF))
                .containsExactly(new RegionRequest.Report(Optional.of(HALF), Optional.of(ALL_HERE)));
    }

    @Test
    void shouldBeBusy_whenWhatIsToBeSealedIsNotHere() {
        assertThat(seal(HALF)).isEqualTo(KNOWN);
    }

    @Test
    void shouldTakeHandlesAwayAndShowWhatLeaves_whenItIsSealed() {
        hold(ALL_HERE);
        open();
        assertThat(memory.uses).containsExactly("1@0" + Permissions.ALL, "1@1" + Permissions.ALL);

        Reaction step = seal(HALF.withVersion(VERSION + 5));

        assertThat(effects(step)).containsExactly(Steps.call(USER, new RegionRequest.Revoke(5, RegionFailure.MOVED)));
        assertThat(memory.registered).hasSize(2);
        assertThat(answer(step, DONE)).isEqualTo(new RegionAnswer.Keys(List.of(new PartKey(1, 0, 3))));
        assertThat(memory.registered).containsExactly(new PartKey(1, 0, 3));
        assertThat(memory.uses).last().isEqualTo("2@1[READ]");
        assertThat(holder.forced()).isZero();
        assertThat(open()).isEqualTo(refused(RegionFailure.NOT_READY, "the part on node-3 is being made or copied"));
    }

    @Test
    void shouldEndTheCopiersKeysWithoutAsking_whenThePlanIsGivenUp() {
        hold(ALL_HERE);
        finish(seal(HALF.withVersion(VERSION + 5)));
        assertThat(memory.registered).hasSize(1);

        Reaction step = settle(ALL_HERE.withVersion(VERSION + 6));

        assertThat(effects(step)).isEmpty();
        assertThat(finish(step)).isEqualTo(DONE);
        assertThat(memory.registered).isEmpty();
        assertThat(open()).isInstanceOf(RegionAnswer.Keys.class);
    }

    @Test
    void shouldShowNothing_whenThePlanEndedWhileHandlesWereTakenAway() {
        hold(ALL_HERE);
        RegionRecord planned = HALF.withVersion(VERSION + 5);
        Reaction given = seal(planned);
        finish(settle(ALL_HERE.withVersion(VERSION + 2)));
        assertThat(answer(given)).isEqualTo(BETWEEN);

        Reaction unsealed = seal(planned);
        finish(settle(ALL_HERE.withVersion(VERSION + 3)));
        finish(allocate(planned, false, 1));
        assertThat(answer(unsealed)).isEqualTo(BETWEEN);

        Reaction ended = seal(planned);
        finish(settle(planned.freed()));
        assertThat(answer(ended)).isEqualTo(BETWEEN);
        assertThat(memory.registered).isEmpty();
    }

    @Test
    void shouldShowNothing_whenNotEveryPartCanBeShown() {
        hold(ALL_HERE);
        memory.room = 1;

        assertThat(finish(seal(Steps.region(NAME, OTHER, OTHER).withVersion(VERSION + 2))))
                .isEqualTo(refused(RegionFailure.NODE_UNREACHABLE, "node-2 is not connected to node-3"));
        assertThat(memory.registered).isEmpty();
        assertThat(memory.uses).hasSize(1);
    }

    @Test
    void shouldNotCopy_whenThePlanIsNotKnown() {
        RegionAnswer unknown = refused(RegionFailure.BUSY, "this plan of accounts is not known here");
        assertThat(fetch(ALL_HERE, SOURCE)).isEqualTo(unknown);
        hold(HALF);
        assertThat(fetch(ALL_HERE, SOURCE)).isEqualTo(unknown);
        finish(allocate(ALL_HERE, false, 1));
        assertThat(fetch(ALL_HERE.renewed(), SOURCE)).isEqualTo(unknown);
    }

    @Test
    void shouldNotCopy_whenThereIsNoMemoryOrNoKey() {
        RegionAnswer cannot = refused(RegionFailure.MALFORMED, "part 1 cannot be copied");
        hold(HALF);
        Reaction making = allocate(ALL_HERE, false, 1);
        assertThat(fetch(ALL_HERE, SOURCE)).isEqualTo(cannot);
        answer(making, DONE);
        assertThat(fetch(ALL_HERE, new PartKey(0, 8, 9))).isEqualTo(cannot);
        assertThat(fetch(ALL_HERE)).isEqualTo(cannot);
    }

    @Test
    void shouldCopyOnceAndOnlyWhatIsFresh_whenItIsAskedTwice() {
        planned();

        Reaction step = fetch(ALL_HERE, new PartKey(0, 1, 2), SOURCE);

        assertThat(effects(step))
                .containsExactly(new Action.Copy(OTHER, List.of(new Action.Piece(SOURCE, FRESH, 100))));
        assertThat(fetch(ALL_HERE, SOURCE))
                .isEqualTo(refused(RegionFailure.BUSY, "the parts are being copied already"));
        RegionAnswer broke = refused(RegionFailure.NODE_UNREACHABLE);
        assertThat(answer(step, broke)).isEqualTo(broke);

        Reaction again = fetch(ALL_HERE, SOURCE);
        assertThat(answer(again, DONE)).isEqualTo(DONE);
        assertThat(fetch(ALL_HERE, SOURCE)).isEqualTo(DONE);
        assertThat(finish(settle(ALL_HERE))).isEqualTo(DONE);
        assertThat(memory.released).isEmpty();
    }

    @Test
    void shouldCopyNothing_whenNothingIsFresh() {
        hold(HALF);
        finish(seal(ALL_HERE));

        assertThat(effects(fetch(ALL_HERE))).containsExactly(new Action.Copy(OTHER, List.of()));
    }

    @Test
    void shouldGiveMemoryBackOnlyAfterTheCopy_whenThePlanIsGivenUp() {
        planned();
        Reaction step = fetch(ALL_HERE, SOURCE);
        finish(settle(HALF.withVersion(VERSION + 2)));
        assertThat(memory.released).isEmpty();

        assertThat(answer(step, DONE)).isEqualTo(BETWEEN);
        assertThat(memory.released).containsExactly(FRESH);
    }

    @Test
    void shouldGiveMemoryBackOnlyAfterTheCopy_whenTheRegionEnds() {
        planned();
        Reaction step = fetch(ALL_HERE, SOURCE);
        finish(settle(ALL_HERE.freed()));
        assertThat(memory.released).containsExactly(new PartId(7, VERSION, 0));

        assertThat(answer(step, DONE)).isEqualTo(BETWEEN);
        assertThat(memory.released).hasSize(2).contains(FRESH);
    }

    @Test
    void shouldKeepAPartUntilItIsSettled_whenItsPlanFailedDuringTheCopy() {
        RegionRecord three = Steps.region(NAME, SELF, OTHER, OTHER);
        RegionRecord moved = three.moved(OTHER, SELF);
        hold(three);
        finish(allocate(moved, false, 1));
        Reaction copying = fetch(moved, SOURCE);
        answer(allocate(moved, false, 2), refused(RegionFailure.NO_SPACE));

        assertThat(answer(copying, DONE)).isEqualTo(BETWEEN);
        assertThat(memory.released).isEmpty();
        finish(settle(three.withVersion(VERSION + 2)));
        assertThat(memory.released).containsExactly(FRESH);
    }

    private void planned() {
        hold(HALF);
        finish(allocate(ALL_HERE, false, 1));
    }

    private void hold(RegionRecord region) {
        finish(allocate(region, true, region.partsOn(SELF).toArray(Integer[]::new)));
        assertThat(finish(settle(region))).isEqualTo(DONE);
    }

    private Reaction allocate(RegionRecord planned, boolean zeros, Integer... parts) {
        return holder.handle(OTHER, new RegionRequest.Allocate(planned, zeros, List.of(parts)));
    }

    private Reaction seal(RegionRecord planned) {
        return holder.handle(OTHER, new RegionRequest.Seal(planned, OTHER));
    }

    private Reaction fetch(RegionRecord planned, PartKey... keys) {
        return holder.handle(OTHER, new RegionRequest.Fetch(planned, OTHER, List.of(keys)));
    }

    private Reaction settle(RegionRecord region) {
        return holder.handle(OTHER, new RegionRequest.Settle(region));
    }

    private Reaction open() {
        return holder.handle(USER, new RegionRequest.Open(7, 5, Permissions.ALL));
    }

    private List<RegionRequest.Report> reports() {
        return holder.reports(new Names(List.of(SELF)), SELF);
    }

    private List<RegionRequest.Report> plans() {
        return holder.plans(new Names(List.of(SELF)), SELF);
    }
}
