package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Steps.DONE;
import static dev.retier.fabric.directory.Steps.answer;
import static dev.retier.fabric.directory.Steps.call;
import static dev.retier.fabric.directory.Steps.effects;
import static dev.retier.fabric.directory.Steps.finish;
import static dev.retier.fabric.directory.Steps.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Regions that are made, granted, moved and freed. */
class DirectoryChangeTest {
    private static final NodeId SELF = new NodeId(1);
    private static final NodeId HOLDER = new NodeId(2);
    private static final NodeId OTHER = new NodeId(3);
    private static final Names NAMES = new Names(List.of(SELF, HOLDER, OTHER));
    private static final RegionName NAME = Steps.nameKeptBy(NAMES, SELF, 0);
    private static final RegionRecord WANTED = new RegionRecord(
            NAME,
            7,
            0,
            new Shape(8192, 4096),
            List.of(HOLDER, OTHER),
            new RegionRecord.Rights(Permissions.of(Permission.READ), Map.of()));
    private static final RegionRecord MADE =
            WANTED.granted(SELF, Permissions.ALL).withVersion(RegionRecord.firstVersion(2));
    private static final RegionRecord MOVED = MADE.moved(HOLDER, SELF);
    private static final RegionAnswer.Keys KEYS = new RegionAnswer.Keys(List.of(new PartKey(0, 1, 2)));
    private static final RegionAnswer AWAY = refused(RegionFailure.NODE_UNREACHABLE);

    private final Directory directory = new Directory(SELF, NAMES, 2);

    @BeforeEach
    void hearAll() {
        assertThat(create(WANTED)).isEqualTo(busy(RegionFailure.NOT_READY));
        assertThat(lookUp()).isEqualTo(busy(RegionFailure.NOT_READY));
        assertThat(grant(OTHER, Permissions.ALL)).isEqualTo(busy(RegionFailure.NOT_READY));
        NAMES.nodes().forEach(node -> ask(node, new RegionRequest.Reported()));
        assertThat(lookUp()).isEqualTo(refused(RegionFailure.NO_SUCH_REGION, "there is no region " + NAME));
    }

    @Test
    void shouldMakeTheRegion_whenEveryHolderHasMemory() {
        Reaction step = create(WANTED);
        assertThat(effects(step))
                .containsExactly(
                        call(HOLDER, new RegionRequest.Allocate(MADE, true, List.of(0))),
                        call(OTHER, new RegionRequest.Allocate(MADE, true, List.of(1))));
        assertThat(create(WANTED)).isEqualTo(busy(RegionFailure.BUSY));
        assertThat(lookUp()).isEqualTo(busy(RegionFailure.NOT_READY));
        assertThat(grant(OTHER, Permissions.ALL)).isEqualTo(busy(RegionFailure.BUSY));
        assertThat(free(7)).isEqualTo(busy(RegionFailure.BUSY));

        Reaction telling = answer(step, DONE, DONE);
        assertThat(effects(telling)).containsExactlyInAnyOrder(settle(HOLDER, MADE), settle(OTHER, MADE));
        assertThat(directory.isUnsettled()).isTrue();
        assertThat(grant(OTHER, Permissions.ALL)).isEqualTo(busy(RegionFailure.NOT_READY));
        assertThat(finish(telling)).isEqualTo(found(MADE));
        assertThat(directory.isUnsettled()).isFalse();
        assertThat(lookUp()).isEqualTo(found(MADE));
        assertThat(create(WANTED)).isEqualTo(found(MADE));
        assertThat(create(withId(8))).isEqualTo(refused(RegionFailure.NAME_TAKEN, "there is a region " + NAME));
    }

    @Test
    void shouldGiveTheNameBack_whenAHolderHasNoMemory() {
        RegionAnswer full = refused(RegionFailure.NO_SPACE);
        RegionRecord freed = MADE.freed().renewed();

        Reaction telling = answer(create(WANTED), DONE, full);

        assertThat(effects(telling)).containsExactlyInAnyOrder(settle(HOLDER, freed), settle(OTHER, freed));
        assertThat(create(WANTED)).isEqualTo(refused(RegionFailure.FREED, NAME + " was freed, or could not be made"));
        assertThat(create(withId(8)))
                .isEqualTo(refused(
                        RegionFailure.NODE_UNREACHABLE, "a holder has not confirmed the end of the last " + NAME));
        RegionName free = Steps.nameKeptBy(NAMES, SELF, 1);
        assertThat(effects(create(new RegionRecord(free, 9, 0, WANTED.shape(), WANTED.placement(), WANTED.rights()))))
                .hasSize(2);
        assertThat(finish(telling)).isEqualTo(full);
        assertThat(create(WANTED)).isInstanceOf(RegionAnswer.Refused.class);
        assertThat(effects(create(withId(8)))).hasSize(2);
    }

    @Test
    void shouldRefuse_whenANodeIsNotInTheCellOrTheNameIsKeptElsewhere() {
        RegionAnswer bad = refused(RegionFailure.MALFORMED, "nodes that are not in the cell, or a wrong keeper");
        RegionName foreign = Steps.nameKeptBy(NAMES, HOLDER, 0);
        NodeId stranger = new NodeId(9);
        assertThat(create(Steps.region(foreign, HOLDER))).isEqualTo(bad);
        assertThat(create(Steps.region(NAME, HOLDER, stranger))).isEqualTo(bad);
        make();
        assertThat(grant(stranger, Permissions.ALL))
                .isEqualTo(refused(RegionFailure.MALFORMED, "node-9 is not in the cell"));
        assertThat(move(HOLDER, stranger)).isEqualTo(refused(RegionFailure.MALFORMED, "node-9 is not in the cell"));
    }

    @Test
    void shouldCountWhatIsForbidden_whenTheAskingNodeIsNoAdmin() {
        make();
        RegionAnswer no = refused(RegionFailure.NOT_PERMITTED, "node-2 may not change " + NAME);
        assertThat(ask(HOLDER, new RegionRequest.Free(NAME, 7))).isEqualTo(no);
        assertThat(ask(HOLDER, new RegionRequest.Move(NAME, 7, HOLDER, SELF))).isEqualTo(no);
        assertThat(directory.forbidden()).isEqualTo(2);
        RegionAnswer none = refused(RegionFailure.NO_SUCH_REGION, "there is no region " + NAME + " of this handle");
        assertThat(free(8)).isEqualTo(none);
        assertThat(ask(SELF, new RegionRequest.Grant(NAME, 8, OTHER, Permissions.ALL)))
                .isEqualTo(none);
    }

    @Test
    void shouldTellEveryHolder_whenAGrantChanges() {
        make();
        assertThat(grant(SELF, Permissions.ALL)).isEqualTo(found(MADE));
        RegionRecord granted = MADE.granted(OTHER, Permissions.of(Permission.READ));
        Reaction step = grant(OTHER, Permissions.of(Permission.READ));
        assertThat(effects(step)).containsExactlyInAnyOrder(settle(HOLDER, granted), settle(OTHER, granted));
        assertThat(finish(step)).isEqualTo(found(granted));

        RegionRecord less = granted.granted(OTHER, Permissions.NONE);
        Reaction partly = grant(OTHER, Permissions.NONE);
        boolean holderFirst = effects(partly).getFirst().equals(settle(HOLDER, less));
        assertThat(answer(partly, holderFirst ? AWAY : DONE, holderFirst ? DONE : AWAY))
                .isEqualTo(refused(RegionFailure.NODE_UNREACHABLE, "not every holder has confirmed: [node-2]"));
        assertThat(effects(directory.reconcile())).containsExactly(settle(HOLDER, less));
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isFalse();
    }

    @Test
    void shouldDoNothing_whenThereIsNothingToMove() {
        make();
        assertThat(move(HOLDER, HOLDER)).isEqualTo(found(MADE));
        assertThat(move(SELF, OTHER)).isEqualTo(found(MADE));
    }

    @Test
    void shouldTellTheSourceLast_whenTheTargetHasTakenOver() {
        make();
        Reaction step = move(HOLDER, SELF);
        assertThat(effects(step)).containsExactly(call(SELF, new RegionRequest.Allocate(MOVED, false, List.of(0))));
        step = answer(step, DONE);
        assertThat(effects(step)).containsExactly(call(HOLDER, new RegionRequest.Seal(MOVED, SELF)));
        step = answer(step, KEYS);
        assertThat(effects(step)).containsExactly(call(SELF, new RegionRequest.Fetch(MOVED, HOLDER, KEYS.keys())));
        step = answer(step, DONE);
        assertThat(effects(step)).containsExactly(settle(SELF, MOVED));
        assertThat(lookUp()).isEqualTo(busy(RegionFailure.NOT_READY));
        step = answer(step, DONE);
        assertThat(effects(step)).containsExactly(settle(OTHER, MOVED));
        step = answer(step, DONE);
        assertThat(effects(step)).containsExactly(settle(HOLDER, MOVED));
        assertThat(answer(step, DONE)).isEqualTo(found(MOVED));
        assertThat(directory.isUnsettled()).isFalse();
    }

    @Test
    void shouldAskTheTargetAgain_whenItHasNotSaidThatItTookOver() {
        make();
        Reaction doubt = answer(answer(answer(move(HOLDER, SELF), DONE), KEYS), DONE);
        assertThat(answer(doubt, AWAY))
                .isEqualTo(refused(
                        RegionFailure.NODE_UNREACHABLE, "node-1 has the copy, and has not said that it took over"));
        assertThat(directory.isUnsettled()).isTrue();
        assertThat(lookUp()).isEqualTo(busy(RegionFailure.NOT_READY));
        assertThat(grant(OTHER, Permissions.ALL)).isEqualTo(busy(RegionFailure.NOT_READY));

        Reaction again = directory.reconcile();
        assertThat(effects(again)).containsExactly(settle(SELF, MOVED));
        assertThat(effects(directory.reconcile())).isEmpty();
        assertThat(answer(again, refused(RegionFailure.LOST))).isEqualTo(DONE);
        RegionRecord renewed = MADE.renewed().renewed();
        assertThat(effects(directory.reconcile()))
                .containsExactlyInAnyOrder(settle(SELF, renewed), settle(HOLDER, renewed), settle(OTHER, renewed));
        assertThat(lookUp()).isEqualTo(found(renewed));
    }

    @Test
    void shouldUndoTheMove_whenAStepFails() {
        make();
        RegionRecord one = MADE.renewed();
        Reaction step = answer(move(HOLDER, SELF), AWAY);
        assertThat(effects(step)).containsExactlyInAnyOrder(settle(SELF, one), settle(HOLDER, one), settle(OTHER, one));
        assertThat(finish(step)).isEqualTo(AWAY);
        assertThat(lookUp()).isEqualTo(found(one));

        RegionAnswer unfit = finish(answer(answer(move(HOLDER, SELF), DONE), DONE));
        assertThat(unfit).isEqualTo(refused(RegionFailure.MALFORMED, "an answer that does not fit: " + DONE));
        assertThat(finish(answer(answer(answer(move(HOLDER, SELF), DONE), KEYS), AWAY)))
                .isEqualTo(AWAY);
        assertThat(lookUp()).isEqualTo(found(one.renewed().renewed()));
    }

    @Test
    void shouldFreeOnce_whenItIsAskedTwice() {
        make();
        Reaction step = free(7);
        RegionRecord freed = MADE.freed().renewed();
        assertThat(effects(step)).containsExactlyInAnyOrder(settle(HOLDER, freed), settle(OTHER, freed));
        assertThat(free(7)).isEqualTo(DONE);
        assertThat(lookUp()).isInstanceOf(RegionAnswer.Refused.class);
        assertThat(answer(step, AWAY, AWAY)).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isTrue();
        assertThat(finish(directory.reconcile())).isEqualTo(DONE);
        assertThat(directory.isUnsettled()).isFalse();
        assertThat(free(7)).isEqualTo(DONE);
    }

    @Test
    void shouldFreeTheRegion_whenAllHoldersHaveLostIt() {
        make();
        RegionAnswer lost = refused(RegionFailure.LOST);
        answer(grant(OTHER, Permissions.ALL), lost, lost);

        assertThat(lookUp()).isEqualTo(refused(RegionFailure.NO_SUCH_REGION, "there is no region " + NAME));
        RegionRecord freed = MADE.granted(OTHER, Permissions.ALL).renewed().freed();
        assertThat(effects(directory.reconcile()))
                .containsExactlyInAnyOrder(settle(HOLDER, freed), settle(OTHER, freed));
    }

    private void make() {
        assertThat(finish(create(WANTED))).isEqualTo(found(MADE));
    }

    private static RegionRecord withId(long id) {
        return new RegionRecord(NAME, id, 0, WANTED.shape(), WANTED.placement(), WANTED.rights());
    }

    private static Action settle(NodeId node, RegionRecord region) {
        return call(node, new RegionRequest.Settle(region));
    }

    private static RegionAnswer found(RegionRecord region) {
        return new RegionAnswer.Found(region);
    }

    private static RegionAnswer busy(RegionFailure why) {
        return refused(why, NAME + " is being made, changed or looked for");
    }

    private Reaction ask(NodeId from, RegionRequest.ToDirectory request) {
        return directory.handle(from, request);
    }

    private Reaction create(RegionRecord wanted) {
        return ask(SELF, new RegionRequest.Create(wanted));
    }

    private Reaction lookUp() {
        return ask(OTHER, new RegionRequest.LookUp(NAME));
    }

    private Reaction grant(NodeId node, Permissions permissions) {
        return ask(SELF, new RegionRequest.Grant(NAME, 7, node, permissions));
    }

    private Reaction move(NodeId from, NodeId to) {
        return ask(SELF, new RegionRequest.Move(NAME, 7, from, to));
    }

    private Reaction free(long id) {
        return ask(SELF, new RegionRequest.Free(NAME, id));
    }
}
