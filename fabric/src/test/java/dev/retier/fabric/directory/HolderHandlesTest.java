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
import org.junit.jupiter.api.Test;

/** Who may reach the parts here, until when. */
class HolderHandlesTest {
    private static final NodeId USER = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final NodeId SELF = new NodeId(3);
    private static final RegionName NAME = new RegionName("accounts");
    private static final RegionRecord REGION = Steps.region(NAME, SELF, OTHER);
    private static final RegionAnswer LOST = refused(RegionFailure.LOST, "node-3 does not hold its part of accounts");
    private static final Permissions READ = Permissions.of(Permission.READ);

    private final Steps.NotedMemory memory = new Steps.NotedMemory();
    private final Holder holder = new Holder(SELF, memory);

    @Test
    void shouldEndTheOldKeys_whenAHandleIsOpenedAgainOrClosed() {
        hold(REGION);
        assertThat(open(USER, 5, READ)).isEqualTo(new RegionAnswer.Keys(List.of(new PartKey(0, 0, 1))));
        assertThat(open(USER, 5, READ)).isEqualTo(new RegionAnswer.Keys(List.of(new PartKey(0, 0, 2))));
        assertThat(memory.registered).containsExactly(new PartKey(0, 0, 2));
        assertThat(memory.uses).containsOnly("1@0[READ]");

        assertThat(close(USER, 6)).isEqualTo(DONE);
        assertThat(close(OTHER, 5)).isEqualTo(DONE);
        assertThat(memory.registered).hasSize(1);
        assertThat(close(USER, 5)).isEqualTo(DONE);
        assertThat(memory.registered).isEmpty();
        assertThat(new Holder(SELF, memory).handle(USER, new RegionRequest.Close(7, 5)))
                .isEqualTo(DONE);
    }

    @Test
    void shouldCountWhatIsForbidden_whenTheGrantsDoNotAllowIt() {
        hold(REGION.granted(USER, READ));

        RegionAnswer no = refused(RegionFailure.NOT_PERMITTED, "node-1 may not use it for [READ+WRITE]");
        Permissions both = Permissions.of(Permission.READ, Permission.WRITE);
        assertThat(open(USER, 5, both)).isEqualTo(no);
        assertThat(open(USER, 5, both)).isEqualTo(no);
        assertThat(holder.forbidden()).isEqualTo(2);
        assertThat(open(USER, 5, READ)).isInstanceOf(RegionAnswer.Keys.class);
        assertThat(holder.forbidden()).isEqualTo(2);
    }

    @Test
    void shouldNotBeReady_whenThePartWasNeverSettled() {
        finish(holder.handle(OTHER, new RegionRequest.Allocate(REGION, true, List.of(0))));

        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.NOT_READY, "the part on node-3 is being made or copied"));
        assertThat(find(NAME)).isEqualTo(refused(RegionFailure.NO_SUCH_REGION, "node-3 holds nothing of accounts"));
    }

    @Test
    void shouldFindARegion_whenItIsSettledHere() {
        hold(REGION);

        assertThat(find(NAME)).isEqualTo(new RegionAnswer.Found(REGION));
        assertThat(find(new RegionName("x")))
                .isEqualTo(refused(RegionFailure.NO_SUCH_REGION, "node-3 holds nothing of x"));
    }

    @Test
    void shouldRegisterNothing_whenThereIsNoRoomForAllParts() {
        hold(Steps.region(NAME, SELF, SELF));
        memory.room = 1;

        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.NO_SPACE, "node-3 cannot register one more part for node-1"));
        assertThat(memory.registered).isEmpty();
    }

    @Test
    void shouldTakeAwayHandlesThatCanDoTooMuch_whenAGrantShrinks() {
        hold(REGION);
        open(USER, 5, Permissions.ALL);
        open(USER, 6, READ);
        open(OTHER, 5, Permissions.ALL);

        Reaction step = settle(REGION.granted(USER, READ));

        assertThat(effects(step)).containsExactly(Steps.call(USER, new RegionRequest.Revoke(5, RegionFailure.REVOKED)));
        assertThat(open(USER, 5, READ)).isEqualTo(refused(RegionFailure.REVOKED, "the handle is being taken away"));
        assertThat(close(USER, 5)).isEqualTo(DONE);
        assertThat(memory.registered).hasSize(3);
        assertThat(settle(REGION.granted(USER, READ)))
                .isEqualTo(refused(RegionFailure.BUSY, "handles are being taken away still"));
        assertThat(answer(step, DONE)).isEqualTo(DONE);
        assertThat(memory.registered).containsExactly(new PartKey(0, 0, 2), new PartKey(0, 0, 3));
        assertThat(settle(REGION.granted(USER, READ))).isEqualTo(DONE);
        assertThat(open(USER, 5, READ)).isInstanceOf(RegionAnswer.Keys.class);
        assertThat(holder.forced()).isZero();
    }

    @Test
    void shouldStayBusyUntilAllStepsEnd_whenHandlesAreTakenAwayTwice() {
        hold(REGION);
        open(USER, 5, Permissions.ALL);
        RegionRecord one = REGION.granted(USER, READ);
        RegionRecord two = one.granted(OTHER, READ);
        Reaction first = settle(one);
        Reaction second = settle(two);
        Reaction third = settle(two.renewed());

        RegionAnswer busy = refused(RegionFailure.BUSY, "handles are being taken away still");
        answer(first, refused(RegionFailure.TIMED_OUT));
        assertThat(settle(one)).isEqualTo(busy);
        answer(second, DONE);
        assertThat(settle(one)).isEqualTo(busy);
        answer(third, DONE);
        assertThat(settle(one)).isEqualTo(DONE);
        assertThat(holder.forced()).isEqualTo(1);
    }

    @Test
    void shouldEndTheRegion_whenItIsFreed() {
        hold(REGION);
        open(USER, 5, READ);

        Reaction step = settle(REGION.freed());

        assertThat(effects(step)).containsExactly(Steps.call(USER, new RegionRequest.Revoke(5, RegionFailure.FREED)));
        assertThat(memory.released).isEmpty();
        assertThat(answer(step, refused(RegionFailure.TIMED_OUT))).isEqualTo(DONE);
        assertThat(memory.registered).isEmpty();
        assertThat(memory.released).containsExactly(new PartId(7, VERSION, 0));
        assertThat(holder.forced()).isEqualTo(1);
        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.FREED, "accounts was freed, or all of it was lost"));
    }

    @Test
    void shouldSayMoved_whenItsPartWentElsewhere() {
        hold(REGION);
        open(USER, 5, READ);

        Reaction step = settle(REGION.moved(SELF, OTHER));

        assertThat(effects(step)).containsExactly(Steps.call(USER, new RegionRequest.Revoke(5, RegionFailure.MOVED)));
        assertThat(finish(step)).isEqualTo(DONE);
        assertThat(open(USER, 5, READ)).isEqualTo(refused(RegionFailure.MOVED, "the part is not on node-3 any more"));
    }

    @Test
    void shouldKeepHandlesOfWhatStays_whenAFreshPartIsGivenUp() {
        hold(REGION);
        open(USER, 5, READ);
        finish(holder.handle(OTHER, new RegionRequest.Allocate(REGION.moved(OTHER, SELF), false, List.of(1))));

        Reaction step = settle(REGION.withVersion(VERSION + 2));

        assertThat(effects(step)).isEmpty();
        assertThat(finish(step)).isEqualTo(DONE);
        assertThat(memory.registered).hasSize(1);
        assertThat(memory.released).containsExactly(new PartId(7, VERSION + 1, 1));
    }

    @Test
    void shouldTakeHandlesAway_whenOneOfTwoPartsLeaves() {
        hold(Steps.region(NAME, SELF, SELF));
        open(USER, 5, READ);

        Reaction step = settle(REGION.renewed());

        assertThat(effects(step)).containsExactly(Steps.call(USER, new RegionRequest.Revoke(5, RegionFailure.MOVED)));
        assertThat(finish(step)).isEqualTo(DONE);
        assertThat(memory.registered).isEmpty();
        assertThat(memory.released).containsExactly(new PartId(7, VERSION, 1));
        assertThat(open(USER, 5, READ)).isEqualTo(new RegionAnswer.Keys(List.of(new PartKey(0, 0, 3))));
    }

    @Test
    void shouldSayLost_whenItIsToldOfAPartThatItNeverHad() {
        settle(REGION.moved(SELF, OTHER));
        RegionRecord back = REGION.withVersion(VERSION + 2);

        assertThat(settle(back)).isEqualTo(LOST);
        assertThat(settle(back)).isEqualTo(LOST);
        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.LOST, "node-3 does not hold the part; it may have restarted"));
    }

    @Test
    void shouldSayLost_whenItHasOnlySomeOfItsParts() {
        hold(REGION);

        assertThat(finish(settle(REGION.moved(OTHER, SELF)))).isEqualTo(LOST);
        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.LOST, "node-3 does not hold all of its parts; it has restarted"));
    }

    @Test
    void shouldSayLost_whenThePartWasNeverFilled() {
        finish(holder.handle(OTHER, new RegionRequest.Allocate(REGION, false, List.of(0))));

        assertThat(finish(settle(REGION))).isEqualTo(LOST);
        assertThat(memory.released).containsExactly(new PartId(7, VERSION, 0));
        assertThat(open(USER, 5, READ))
                .isEqualTo(refused(RegionFailure.LOST, "node-3 does not hold the part; it may have restarted"));
    }

    @Test
    void shouldForgetThePeersHandlesOnly_whenItsConnectionIsGone() {
        hold(REGION);
        open(USER, 5, READ);
        open(OTHER, 6, READ);

        holder.disconnected(USER);

        assertThat(effects(settle(REGION.freed())))
                .containsExactly(Steps.call(OTHER, new RegionRequest.Revoke(6, RegionFailure.FREED)));
    }

    private void hold(RegionRecord region) {
        finish(holder.handle(OTHER, new RegionRequest.Allocate(region, true, region.partsOn(SELF))));
        assertThat(finish(settle(region))).isEqualTo(DONE);
    }

    private Reaction settle(RegionRecord region) {
        return holder.handle(OTHER, new RegionRequest.Settle(region));
    }

    private Reaction open(NodeId user, long handle, Permissions permissions) {
        return holder.handle(user, new RegionRequest.Open(7, handle, permissions));
    }

    private Reaction close(NodeId user, long handle) {
        return holder.handle(user, new RegionRequest.Close(7, handle));
    }

    private Reaction find(RegionName name) {
        return holder.handle(USER, new RegionRequest.Find(name));
    }
}
