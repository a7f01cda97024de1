package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.NodeView;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgentLoopTest extends LoopRig {
    @Test
    void shouldLookAgainAfterS_whenNothingHappens() {
        begin();
        assertThat(all(LoopEffect.Await.class)).hasSize(1);

        long begunNanos = nowNanos;
        woken();

        assertThat(nowNanos - begunNanos)
                .isEqualTo(CONFIG.timing().sensitivity().toNanos());
    }

    @Test
    void shouldOrderOnASecondLook_whenAnOperatorWantsAMove() {
        untilLock();
        next(LoopEffect.TryLock.class);
        on(new LoopEvent.LockTaken());
        fenced();
        looked();

        MoverEffect.Ordering order = ordering();
        assertThat(order.move().node()).isEqualTo(node(3));
        assertThat(order.expected()).isEqualTo(words.get(node(3)));
        words.put(node(3), order.next());
        on(new LoopEvent.Ordered(Map.of(node(3), new CasOutcome.Won())));
        assertThat(all(LoopEffect.Await.class)).hasSize(1);
        assertThat(loop.isHolding()).isTrue();

        words.put(node(3), order.next().completed());
        woken();
        looked();

        assertThat(all(LoopEffect.Release.class)).hasSize(1);
        assertThat(all(LoopEffect.Reply.class))
                .singleElement()
                .satisfies(reply -> assertThat(reply.answer().outcome()).isEqualTo(Answer.Outcome.DONE));
    }

    @Test
    void shouldOrderNothing_whenAVolumeOfTheNodeIsAttachedMeanwhile() {
        untilLock();
        on(new LoopEvent.LockTaken());
        fenced();
        holdingVolumes = Set.of(node(3));
        looked();

        assertThat(all(LoopEffect.Order.class)).isEmpty();
        Answer answer = next(LoopEffect.Reply.class).answer();
        assertThat(answer.outcome()).isEqualTo(Answer.Outcome.REFUSED);
        assertThat(answer.body().path("reason").asString()).isEqualTo("HOLDS_VOLUMES");
    }

    @Test
    void shouldKnowWhoHoldsVolumes_alsoAfterALookAtSome() {
        holdingVolumes = Set.of(node(3));
        begin();
        glanced(node(2));
        assertThat(loop.view().holdingVolumes()).containsExactly(node(3));
    }

    @Test
    void shouldSayWhatToDo_whenAMoveIsNotSeenToEnd() {
        untilLock();
        on(new LoopEvent.LockTaken());
        fenced();
        looked();
        words.put(node(3), ordering().next());
        on(new LoopEvent.Ordered(Map.of(node(3), new CasOutcome.Won())));

        nowNanos += CONFIG.longestMove().toNanos();
        woken();
        looked();

        Answer answer = next(LoopEffect.Reply.class).answer();
        assertThat(answer.outcome()).isEqualTo(Answer.Outcome.TIMED_OUT);
        assertThat(answer.body().path("reason").asString()).isEqualTo("TIMED_OUT");
        assertThat(answer.body().path("sentence").asString()).contains("if its agent is gone, start it");
    }

    @Test
    void shouldOrderNothingAndEnd_whenItIsStoppedWhileItAsksForTheLock() {
        untilLock();
        next(LoopEffect.TryLock.class);

        on(new LoopEvent.Stopped());
        assertThat(all(LoopEffect.End.class)).as("the lock may still be ours").isEmpty();
        on(new LoopEvent.LockTaken());

        assertThat(all(LoopEffect.Fence.class)).isEmpty();
        assertThat(all(LoopEffect.Release.class)).hasSize(1);
        assertThat(all(LoopEffect.End.class)).hasSize(1);
        assertThat(loop.isHolding()).isFalse();
    }

    @Test
    void shouldReleaseAndEnd_whenItIsStoppedWhileItFences() {
        untilLock();
        on(new LoopEvent.LockTaken());
        next(LoopEffect.Fence.class);

        on(new LoopEvent.Stopped());

        assertThat(all(LoopEffect.Release.class)).hasSize(1);
        assertThat(all(LoopEffect.End.class)).hasSize(1);
        assertThat(loop.on(new LoopEvent.Fenced(Map.of()), nowNanos)).isEmpty();
    }

    @Test
    void shouldAnswerEveryCommand_whenItIsStoppedBeforeTheirTurn() {
        begin();
        on(new LoopEvent.Commanded(1, new Command.Move("node-3", "shop/proxy", PLAIN)));
        on(new LoopEvent.Commanded(2, new Command.Plan()));
        looked();
        next(LoopEffect.TryLock.class);

        on(new LoopEvent.Stopped());
        on(new LoopEvent.Commanded(3, new Command.Plan()));
        on(new LoopEvent.LockHeld(node(4)));

        assertThat(all(LoopEffect.Reply.class).stream().map(reply -> reply.ticket()))
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(all(LoopEffect.End.class)).hasSize(1);
    }

    @Test
    void shouldGoOn_whenAPeerHasPutNonsenseIntoTheOwnWord() {
        own = new RoleWord.Malformed(-1, "phase bits 3 name no phase");

        begin();
        LoopEffect.Mend<?> mend = next(LoopEffect.Mend.class);
        assertThat(mend.bits()).isEqualTo(-1);
        assertThat(mend.next()).isEqualTo(RoleWord.active(0, 1, APP));
        woken();
        looked();
        assertThat(all(LoopEffect.Tell.class))
                .as("told once")
                .noneMatch(tell -> tell.notice() instanceof Notice.WordFlawed);
        next(LoopEffect.Mend.class);
        own = new RoleWord.Valid(mend.next());
        woken();
        looked();

        assertThat(all(LoopEffect.Mend.class)).isEmpty();
        assertThat(all(LoopEffect.Await.class)).hasSize(1);
    }

    @Test
    void shouldPutTheOldWordBack_whenItNamesAStrangeSiteOrAnEpochThatNobodyCanHave() {
        begin();
        for (RoleWord forged : List.of(
                RoleWord.active(1, 0, Role.serving(new SiteId(63), Tier.APP)),
                RoleWord.active(RoleWord.MAX_EPOCH, 0, APP))) {
            own = new RoleWord.Valid(forged);
            woken();
            looked();

            LoopEffect.Mend<?> mend = next(LoopEffect.Mend.class);
            assertThat(mend.bits()).isEqualTo(forged.encode());
            assertThat(mend.next()).isEqualTo(RoleWord.active(0, 1, APP));
            assertThat(all(LoopEffect.Install.class)).as("no file of it").isEmpty();
        }
    }

    @Test
    void shouldNotKnowANode_whenItsWordCannotBeTrue() {
        words.put(node(3), RoleWord.active(0, 0, Role.serving(new SiteId(63), Tier.APP)));

        begin();

        assertThat(loop.view().nodes().get(node(3))).isInstanceOf(NodeView.NeverSeen.class);
    }

    @Test
    void shouldObeyAnOrderOnce_whenItsEndIsHeardBeforeTheNextLook() {
        begin();
        RoleWord order = RoleWord.active(0, 0, APP).ordered(5, 0, PROXY);
        own = new RoleWord.Valid(order);
        nowNanos += 10 * MS;
        glanced(node(4));
        MoveRecord entry = next(LoopEffect.Append.class).entry();
        assertThat(entry.phase()).isEqualTo(MovePhase.ORDERED);

        on(new LoopEvent.Journalled(entry, "the disk is full"));
        assertThat(next(LoopEffect.SetWord.class).next()).isEqualTo(order.rolledBack());
        on(new LoopEvent.WordSet(new CasOutcome.Won()));
        assertThat(next(LoopEffect.Append.class).entry().phase()).isEqualTo(MovePhase.ROLLED_BACK);
        sampled(0);
        assertThat(all(LoopEffect.Append.class)).as("no second beginning").isEmpty();
        assertThat(loop.isIdle()).isTrue();
    }

    /** Else it would be moved whole while somebody waits for the agent to end. */
    @Test
    void shouldUndoAnOrder_thatComesWhileTheAgentLeaves() {
        begin();
        RoleWord order = RoleWord.active(0, 0, APP).ordered(5, 0, PROXY);
        own = new RoleWord.Valid(order);
        on(new LoopEvent.Commanded(1, new Command.Move("node-3", "shop/proxy", PLAIN)));
        looked();
        next(LoopEffect.TryLock.class);
        on(new LoopEvent.Stopped());
        on(new LoopEvent.LockHeld(node(4)));

        assertThat(next(LoopEffect.Append.class).entry().phase()).isEqualTo(MovePhase.ORDERED);
        assertThat(next(LoopEffect.SetWord.class).next()).isEqualTo(order.rolledBack());
    }

    @Test
    void shouldKnowThatTheServerRunsItsFile_whenAMoveHasSeenIt() {
        RoleWord order = RoleWord.active(0, 0, PROXY).ordered(5, 0, APP);
        untilProof(order);
        assertThat(loop.isFileTaken()).isTrue();
    }

    @Test
    void shouldWriteTheFileAgain_whenItCouldNotBeWritten() {
        begin();
        assertThat(next(LoopEffect.Install.class).file()).isNotNull();
        on(new LoopEvent.Installed("no space left"));
        woken();
        looked();
        assertThat(all(LoopEffect.Install.class)).hasSize(1);
        assertThat(loop.isFileTaken()).isFalse();
    }

    @Test
    void shouldChangeNothing_whenAPauseCannotBeKept() {
        begin();
        on(new LoopEvent.Commanded(7, new Command.Pause(true)));
        looked();
        next(LoopEffect.Keep.class);

        on(new LoopEvent.Kept(7, "no space left"));

        assertThat(next(LoopEffect.Reply.class).answer().outcome()).isEqualTo(Answer.Outcome.FAILED);
        assertThat(loop.isPausedHere()).isFalse();
    }

    @Test
    void shouldOrderNothing_whenAConfigurationDiffersAtTheSecondLook() {
        begin();
        on(new LoopEvent.Commanded(1, new Command.Move("node-3", "shop/proxy", new Command.Manner(false, false))));
        looked();
        on(new LoopEvent.LockTaken());
        fenced();
        differing = Set.of(node(4));
        looked();

        assertThat(all(LoopEffect.Order.class)).isEmpty();
        assertThat(next(LoopEffect.Reply.class).answer().body().toString())
                .contains("CONFIG_DIFFERS", "node-4 has another cluster file");
    }

    @Test
    void shouldGoOnWithTheMove_whenAConfigurationDiffersAfterTheOrder() {
        untilLock();
        on(new LoopEvent.LockTaken());
        fenced();
        looked();
        MoverEffect.Ordering order = ordering();
        words.put(node(3), order.next());
        on(new LoopEvent.Ordered(Map.of(node(3), new CasOutcome.Won())));
        differing = Set.of(node(4));
        woken();
        looked();
        assertThat(loop.isHolding()).isTrue();

        words.put(node(3), order.next().completed());
        woken();
        looked();
        assertThat(next(LoopEffect.Reply.class).answer().outcome()).isEqualTo(Answer.Outcome.DONE);
    }
}
