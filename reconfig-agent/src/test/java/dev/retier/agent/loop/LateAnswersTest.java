package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigDigest;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What comes after something else has begun: a cluster file that is read during a move, a proof of an older order. */
class LateAnswersTest extends LoopRig {
    @Test
    void shouldDeclareItsDigestOnce_whenWhatMustAgreeHasChanged() {
        begin();
        ClusterConfig next = Clusters.withApps(CONFIG, new TierBounds(2, 4));

        on(new LoopEvent.Reconfigured(next));
        due();
        looked();

        assertThat(next(LoopEffect.Declare.class).digest()).isEqualTo(ConfigDigest.of(next));
        on(new LoopEvent.Reconfigured(next.withMode(Mode.OBSERVE)));
        due();
        looked();
        assertThat(all(LoopEffect.Declare.class)).isEmpty();
    }

    @Test
    void shouldDeclareItsDigestAfterTheMove_whenAMoveIsUnderWayAndTheFileIsReadTwice() {
        untilLock();
        on(new LoopEvent.LockTaken());
        fenced();
        looked();
        MoverEffect.Ordering order = ordering();
        words.put(node(3), order.next());
        on(new LoopEvent.Ordered(Map.of(node(3), new CasOutcome.Won())));

        ClusterConfig next = Clusters.withApps(CONFIG, new TierBounds(1, 4));
        on(new LoopEvent.Reconfigured(next));
        due();
        looked();
        on(new LoopEvent.Reconfigured(next.withMode(Mode.RECOMMEND)));
        due();
        looked();
        assertThat(all(LoopEffect.Declare.class))
                .as("the lease goes by the connections")
                .isEmpty();
        words.put(node(3), order.next().completed());
        due();
        looked();

        assertThat(all(LoopEffect.Release.class)).hasSize(1);
        assertThat(next(LoopEffect.Declare.class).digest()).isEqualTo(ConfigDigest.of(next));
        assertThat(all(LoopEffect.Declare.class)).isEmpty();
    }

    @Test
    void shouldSayWhatWasAnswered_whenAMoveIsUndoneForItsProof() {
        RoleWord order = RoleWord.active(0, 0, PROXY).ordered(5, 0, APP);
        untilProof(order);
        on(new LoopEvent.Proved(order, "it answered 403"));
        on(new LoopEvent.Installed(null));
        sampled("proxy", 11);
        on(new LoopEvent.WordSet(new CasOutcome.Won()));

        List<Notice> told = new ArrayList<>();
        all(LoopEffect.Tell.class).forEach(tell -> told.add(tell.notice()));
        assertThat(told)
                .anyMatch(notice -> notice instanceof Notice.MoveReached(MoveRecord entry, int _, String detail)
                        && entry.phase() == MovePhase.ROLLED_BACK
                        && "it answered 403".equals(detail));
    }

    /** Asking for a proof has a deadline of its own, and its answer may come when the next order is under way. */
    @Test
    void shouldTakeNoProofOfAnotherOrder_whenItComesLate() {
        RoleWord before = RoleWord.active(0, 0, APP).ordered(4, 0, PROXY);
        RoleWord order = RoleWord.active(0, 0, PROXY).ordered(5, 0, APP);
        untilProof(order);
        assertThat(next(LoopEffect.Prove.class).order()).isEqualTo(order);

        on(new LoopEvent.Proved(before, null));
        on(new LoopEvent.Proved(before, "no"));
        assertThat(all(LoopEffect.SetWord.class)).isEmpty();

        on(new LoopEvent.Proved(order, null));
        assertThat(next(LoopEffect.SetWord.class).next()).isEqualTo(order.completed());
    }
}
