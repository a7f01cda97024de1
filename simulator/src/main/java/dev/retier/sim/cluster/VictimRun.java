package dev.retier.sim.cluster;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.move.Upstream;
import dev.retier.agent.move.Victim;
import dev.retier.agent.move.VictimEffect;
import dev.retier.agent.move.VictimEvent;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Stamps;
import dev.retier.sim.time.Round;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out what the {@link Victim} asks for. Not thread-safe. */
final class VictimRun {
    private static final long HURRY_NANOS = 60_000_000;

    private final Agent agent;
    private final Victim victim;
    private @Nullable RoleWord order;
    private Poller.@Nullable Sample lastSample;

    VictimRun(Agent agent) {
        this.agent = agent;
        this.victim = new Victim(agent.cluster().config());
    }

    boolean isIdle() {
        return victim.isIdle();
    }

    boolean isWaitingForUpstream() {
        return victim.isWaitingForUpstream();
    }

    /** Takes up, at a restart, a move that the journal says was under way. */
    void recover() {
        List<MoveRecord> journal = agent.node().journal;
        RoleWord own = agent.node().slot.word();
        if (own.phase() == Phase.ORDERED
                && journal.stream().anyMatch(entry -> entry.word().equals(own))) {
            order = own;
            feed(new VictimEvent.Found(own, Recovery.reached(journal, own)));
        }
    }

    /** Goes round once: sees new orders, the server's status, and the time. */
    void step() {
        RoleWord own = agent.node().slot.word();
        if (victim.isIdle() && own.phase() == Phase.ORDERED) {
            order = own;
            feed(new VictimEvent.Ordered(own));
        }
        if (victim.isIdle()) {
            return;
        }
        agent.poller().hurry(HURRY_NANOS);
        Poller.Sample sample = agent.poller().newest();
        if (sample != null && !sample.equals(lastSample) && !agent.poller().isDown()) {
            lastSample = sample;
            feed(new VictimEvent.Server(sample.status(), sample.askedAtNanos()));
        }
        feed(new VictimEvent.Tick());
    }

    /** After a look: sees whether upstream nodes leave this one out. */
    void looked(ClusterView view) {
        RoleWord current = order;
        if (current != null && victim.isWaitingForUpstream()) {
            feed(new VictimEvent.UpstreamSeen(Upstream.unproven(view, current).isEmpty()));
        }
    }

    private void feed(VictimEvent event) {
        for (VictimEffect effect : victim.on(event, agent.clock())) {
            carryOut(effect);
        }
    }

    private void carryOut(VictimEffect effect) {
        switch (effect) {
            case VictimEffect.JournalOrder(MoveRecord entry) -> {
                agent.cluster()
                        .chronicle()
                        .ordered(agent.id(), entry.word(), agent.cluster().seconds());
                agent.later(agent.cluster().delays().journalNanos(), () -> {
                    agent.node().journal.add(entry);
                    feed(new VictimEvent.Journalled(true));
                    agent.wake();
                });
            }
            case VictimEffect.Reached(MoveRecord entry, boolean _) -> reached(entry);
            case VictimEffect.WriteRole(var role, long stamp) ->
                agent.follower()
                        .write(agent.view(), role, stamp)
                        .ifPresentOrElse(
                                why -> feed(new VictimEvent.NotWritten(why)), () -> feed(new VictimEvent.Written()));
            case VictimEffect.Prove _ -> prove();
            case VictimEffect.SetWord(RoleWord expected, RoleWord next) -> setWord(expected, next);
            case VictimEffect.Announce _ -> agent.announce();
            case VictimEffect.Finished _ -> order = null;
        }
    }

    private void reached(MoveRecord entry) {
        agent.node().journal.add(entry);
        agent.cluster().listener().reached(agent.node().index, entry);
        if (entry.phase() == MovePhase.ACTIVE || entry.phase() == MovePhase.ROLLED_BACK) {
            RollbackReason why = entry.phase() == MovePhase.ACTIVE
                    ? null
                    : entry.reason() == null ? RollbackReason.WORD_NOT_SET : entry.reason();
            agent.cluster().chronicle().ended(entry.word(), agent.cluster().seconds(), why);
        }
    }

    /** A request to itself is answered by the file in force. */
    private void prove() {
        RoleWord proven = order;
        agent.later(agent.cluster().delays().proveNanos(), () -> {
            if (proven != null && proven.equals(order)) {
                boolean isGood = agent.node().station.isUp()
                        && agent.node().station.plan().stamp() >= Stamps.ordered(proven.epoch());
                feed(new VictimEvent.Proof(isGood));
            }
        });
    }

    private void setWord(RoleWord expected, RoleWord next) {
        Round<CasOutcome> round = new Round<>(
                1,
                answers -> feed(new VictimEvent.Answered(
                        answers.getOrDefault(agent.node().index, new CasOutcome.Unresolved("no answer in time")))));
        agent.call(
                agent.node().index,
                slot -> slot.compareAndSet(expected, next),
                outcome -> round.answered(agent.node().index, outcome));
        agent.later(agent.deadlineNanos(), round::end);
    }
}
