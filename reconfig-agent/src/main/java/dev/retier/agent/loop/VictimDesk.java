package dev.retier.agent.loop;

import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.move.Senders;
import dev.retier.agent.move.Victim;
import dev.retier.agent.move.VictimEffect;
import dev.retier.agent.move.VictimEvent;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.Stamps;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Obeys the own role word: tells the {@link Victim} what it learns, and passes on what it wants. Owned by the loop. */
final class VictimDesk<F extends RoleFile> {
    /** Edges let go within this, when they run; who waits for longer waits for seconds, or for a hold. */
    private static final long PATIENT_AFTER_NANOS = 1_000_000_000;

    private final Scene<F> scene;
    private final FileKeeper<F> files;
    private final Deque<VictimEvent> events = new ArrayDeque<>();
    private Victim victim;
    private MoveRules rules;
    private List<SiteConfig> sites;
    private @Nullable RoleWord order;
    /** Who may still send to this node, by the newest look at least; null before the first while it waits for them. */
    private @Nullable Senders senders;

    private long orderedNanos;

    private @Nullable RoleWord wanted;
    private @Nullable MoveRecord awaited;
    private @Nullable String refusal;
    private LoopEvent.@Nullable Sampled lastSample;
    private boolean isFeeding;
    private boolean isStopping;

    VictimDesk(Scene<F> scene, FileKeeper<F> files) {
        this.scene = scene;
        this.files = files;
        this.rules = scene.config().move();
        this.sites = scene.config().sites();
        this.victim = newVictim();
    }

    private Victim newVictim() {
        return new Victim(scene.config(), scene.config().node(scene.self()).answersLate());
    }

    /** Whether no move of this node is under way. */
    boolean isIdle() {
        return victim.isIdle();
    }

    /** Whether the next step waits for those who send to this node. */
    boolean isWaitingForUpstream() {
        return victim.isWaitingForUpstream();
    }

    /** Whether only looks show that they have let go: edges say so themselves. */
    boolean isWaitingForNodes() {
        RoleWord current = order;
        boolean isProxy =
                current != null && current.from() instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        Senders left = senders;
        boolean isBatchSeen = left == null || left.isBatchSeen();
        return victim.isWaitingForUpstream() && !(isProxy && isBatchSeen);
    }

    /** Whether nothing is to be expected of the own server, and nothing else at any moment. */
    boolean isPatient() {
        return victim.isWaitingForUpstream() && scene.nowNanos() - orderedNanos >= PATIENT_AFTER_NANOS;
    }

    /** Takes up, at the start, a move that the journal says was under way. */
    void recover(List<MoveRecord> journal) {
        ordered()
                .filter(own -> journal.stream().anyMatch(entry -> entry.word().equals(own)))
                .ifPresent(own -> {
                    scene.tell(new Notice.MoveFound(own));
                    order = own;
                    feed(new VictimEvent.Found(own, Recovery.reached(journal, own)));
                });
    }

    private Optional<RoleWord> ordered() {
        return scene.own().filter(own -> own.phase() == Phase.ORDERED);
    }

    /** Goes round once: sees new orders, the server's status, and the time. */
    void step() {
        if (victim.isIdle()) {
            ordered().ifPresent(own -> {
                followRules();
                order = own;
                senders = null;
                orderedNanos = scene.nowNanos();
                scene.emit(new LoopEffect.Announce<>());
                feed(new VictimEvent.Ordered(own));
                if (isStopping) {
                    feed(new VictimEvent.Stop());
                }
            });
        }
        if (victim.isIdle()) {
            return;
        }
        if (senders != null) {
            judgeSenders();
        }
        if (!isPatient()) {
            scene.emit(new LoopEffect.Hurry<>(FileKeeper.HURRY_NANOS, !victim.isDrained()));
        }
        LoopEvent.Sampled sample = scene.sample();
        if (sample != null && !sample.equals(lastSample)) {
            lastSample = sample;
            feed(
                    sample.isWhole()
                            ? new VictimEvent.Server(sample.status(), sample.askedAtNanos())
                            : new VictimEvent.ServerFile(sample.status(), sample.askedAtNanos()));
        }
        feed(new VictimEvent.Tick());
    }

    /** A move goes by the rules that were in force when it was ordered. */
    private void followRules() {
        if (!scene.config().move().equals(rules) || !scene.config().sites().equals(sites)) {
            rules = scene.config().move();
            sites = scene.config().sites();
            victim = newVictim();
        }
    }

    /** After a look at all, which has posted target lists without this node: sees whether all have let go of it. */
    void looked() {
        judgeSenders();
    }

    /** Whether looks at single nodes show what only a look at all can prove: that nobody sends to this one any more. */
    boolean seemsLetGo() {
        RoleWord current = order;
        Senders left = senders;
        return current != null
                && left != null
                && !left.isEmpty()
                && victim.isWaitingForUpstream()
                && Senders.of(scene.config(), scene.view(), scene.edgeWords(), current)
                        .isEmpty();
    }

    private void judgeSenders() {
        RoleWord current = order;
        if (current != null && victim.isWaitingForUpstream()) {
            Senders left = Senders.of(scene.config(), scene.wholeView(), scene.edgeWords(), current);
            senders = left;
            feed(new VictimEvent.UpstreamSeen(left.isEmpty()));
        }
    }

    /** Finishes if the switch has begun, else undoes, also what is ordered later; {@link #step} goes on with it. */
    void stop() {
        isStopping = true;
        feed(new VictimEvent.Stop());
    }

    void journalled(LoopEvent.Journalled answer) {
        String problem = answer.problem();
        if (problem != null) {
            scene.tell(new Notice.JournalFailed(problem));
        }
        if (answer.entry().equals(awaited)) {
            awaited = null;
            feed(new VictimEvent.Journalled(problem == null));
        }
    }

    void wordSet(LoopEvent.WordSet answer) {
        switch (answer.outcome()) {
            case CasOutcome.Won _ -> scene.own(Objects.requireNonNull(wanted, "a word that was set was wanted"));
            case CasOutcome.Lost(RoleWord actual) -> scene.own(actual);
            case CasOutcome.Malformed _, CasOutcome.Unreachable _, CasOutcome.Unresolved _ -> {}
        }
        feed(new VictimEvent.Answered(answer.outcome()));
    }

    void proved(LoopEvent.Proved answer) {
        if (answer.order().equals(order)) {
            refusal = answer.objection() == null ? refusal : answer.objection();
            feed(new VictimEvent.Proof(answer.objection() == null));
        }
    }

    /** A file that this or the following of roles wanted has come out. */
    void installed(FileKeeper.Writing how) {
        feed(written(how));
    }

    private static VictimEvent written(FileKeeper.Writing how) {
        return switch (how) {
            case WRITTEN -> new VictimEvent.Written();
            case NOTHING_TO_RENDER -> new VictimEvent.NotWritten(RollbackReason.NOTHING_TO_RENDER);
            case FAILED -> new VictimEvent.NotWritten(RollbackReason.WRITE_FAILED);
            case UNDER_WAY -> throw new IllegalArgumentException("a file under way is not written");
        };
    }

    private void feed(VictimEvent first) {
        events.add(first);
        if (isFeeding) {
            return;
        }
        isFeeding = true;
        while (!events.isEmpty()) {
            victim.on(events.remove(), scene.nowNanos()).forEach(this::carryOut);
        }
        isFeeding = false;
    }

    private void carryOut(VictimEffect effect) {
        switch (effect) {
            case VictimEffect.Journal(MoveRecord entry) -> {
                awaited = entry;
                scene.emit(new LoopEffect.Append<>(entry));
                scene.tell(new Notice.MoveReached(entry, 0, null));
            }
            case VictimEffect.Reached(MoveRecord entry, int held) -> {
                scene.emit(new LoopEffect.Append<>(entry));
                if (entry.phase() == MovePhase.ROLLED_BACK || entry.phase() == MovePhase.ACTIVE) {
                    scene.settled(
                            Recovery.initialWord(List.of(entry), entry.word().from()));
                }
                scene.tell(new Notice.MoveReached(entry, held, detail(entry)));
            }
            case VictimEffect.WriteRole write -> write(write);
            case VictimEffect.Prove(Role role) -> {
                RoleWord proven = order;
                if (proven != null) {
                    scene.emit(new LoopEffect.Prove<>(proven, role, Stamps.ordered(proven.epoch())));
                }
            }
            case VictimEffect.SetWord(RoleWord expected, RoleWord next) -> {
                wanted = next;
                scene.emit(new LoopEffect.SetWord<>(expected, next));
            }
            case VictimEffect.Announce _ -> scene.emit(new LoopEffect.Announce<>());
            case VictimEffect.Finished _ -> {
                order = null;
                refusal = null;
            }
        }
    }

    private @Nullable String detail(MoveRecord entry) {
        Senders left = senders;
        if (entry.phase() != MovePhase.ROLLED_BACK) {
            return null;
        }
        return entry.reason() == RollbackReason.UPSTREAM_NOT_PROVEN && left != null
                ? left.text(scene.config(), scene.self())
                : refusal;
    }

    private void write(VictimEffect.WriteRole write) {
        rememberRefusal(write);
        long seen = write.role() instanceof Role.Serving(SiteId site, Tier _)
                ? scene.view().stamp(site, scene.config().epochs())
                : 0;
        FileKeeper.Writing how = files.write(write.role(), Math.max(write.stamp(), seen));
        if (how != FileKeeper.Writing.UNDER_WAY) {
            feed(written(how));
        }
    }

    /** The file of the old role will end what the server says of the new one. */
    private void rememberRefusal(VictimEffect.WriteRole write) {
        LoopEvent.Sampled sample = scene.sample();
        RoleWord current = order;
        if (current != null && sample != null && write.role().equals(current.from())) {
            String failure = files.failure();
            String why = failure == null ? sample.status().lastRefusal() : failure;
            refusal = why == null ? refusal : why;
        }
    }
}
