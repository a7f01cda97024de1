package dev.retier.agent.loop;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigDigest;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord.Phase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that an agent does: looks every S, or closely while a move needs it, and at once at those who announce something;
 * follows its role, obeys operators, decides after a look at all, and goes on with moves.
 *
 * <pre>
 *           Started          Looked                no answer is awaited
 *   BEGUN ----------> LOOKING -----> (follow, obey, decide) -----------> RESTING
 *                        ^                   |       ^                     |  |
 *                        |        an effect  |       | its answer          |  | Woken before a look is due:
 *                        |        is answered v      |                     |  | goes on with its moves
 *                        |                  CARRYING OUT                   |  |
 *                        +------- Woken when a look is due ----------------+--+
 * </pre>
 *
 * <p>At any time exactly one thing is awaited: the answer of one effect of the mover (or a look), or the end of an
 * {@code Await}. The answers of what concerns the own node alone (its journal, word, file, proof) may come at any time.
 * Following seed 001, section 3.2. Not thread-safe.
 */
public final class AgentLoop<F extends RoleFile> {
    /**
     * Between two rounds at most while something of this node, or of a move that it takes part in, is about to change.
     * Whatever does so wakes the agent; this is for deadlines and holds, for answers that did not come, and for proxies
     * of versions that wake nobody.
     */
    private static final long BUSY_WAIT_NANOS = 50_000_000;

    private final Scene<F> scene;
    private final Pauses<F> pauses;
    private final FileKeeper<F> files;
    private final VictimDesk<F> victim;
    private final MoverDesk<F> mover;
    private final RepairDesk<F> repairs;
    private final ShadowDesk<F> shadow;
    private final OperatorDesk<F> operators;
    private final Deque<Runnable> agenda = new ArrayDeque<>();
    private List<MoveRecord> journal = List.of();
    private @Nullable ClusterConfig nextConfig;
    private State state = State.BEGUN;
    private boolean isFirstLook = true;
    private boolean isRound;
    private boolean isStopping;
    private boolean isUndeclared;
    private long lookBegunNanos;
    private long lookDueNanos;

    private enum State {
        BEGUN,
        LOOKING,
        CARRYING_OUT,
        RESTING,
        ENDED
    }

    /** The loop of the agent of {@code self}; it begins with {@link LoopEvent.Started}. */
    public AgentLoop(NodeId self, ClusterConfig config, FileMaker<F> maker, Memory memory) {
        this.scene = new Scene<>(self, config, memory.isShadow());
        this.pauses = new Pauses<>(scene, new Pauses.Kept(memory.cluster(), memory.isPausedHere()));
        this.files = new FileKeeper<>(scene, maker);
        this.victim = new VictimDesk<>(scene, files);
        this.shadow = new ShadowDesk<>(scene, pauses);
        this.mover = new MoverDesk<>(scene, pauses, shadow);
        this.repairs = new RepairDesk<>(scene, victim);
        this.operators = new OperatorDesk<>(scene, new OperatorDesk.Hands<>(mover, files, pauses, repairs));
    }

    /** Takes in one event, at a time of the own monotonic clock, and says what to do now, in this order. */
    public List<LoopEffect<F>> on(LoopEvent event, long nowNanos) {
        scene.at(nowNanos);
        if (state != State.ENDED) {
            take(event);
        }
        return scene.take();
    }

    private void take(LoopEvent event) {
        switch (event) {
            case LoopEvent.Started(List<MoveRecord> found) -> {
                journal = found;
                operators.begin(found);
                NodeConfig node = scene.config().node(scene.self());
                scene.begin(Recovery.initialWord(found, node.initialRole()));
                pauses.publish();
                look();
            }
            case LoopEvent.Woken woken -> woken(woken);
            case LoopEvent.Looked looked -> looked(looked);
            case LoopEvent.Glanced glanced -> glanced(glanced);
            case LoopEvent.Sampled sample -> {
                scene.sampled(sample);
                whileResting(this::goOn);
            }
            case LoopEvent.EdgeTold(EdgeWord word) -> {
                scene.edgeTold(word);
                whileResting(this::goOn);
            }
            case LoopEvent.LockTaken _, LoopEvent.LockHeld _, LoopEvent.LockUnavailable _ -> {
                mover.locked(event);
                proceed();
            }
            case LoopEvent.Fenced fenced -> {
                mover.fenced(fenced);
                proceed();
            }
            case LoopEvent.Ordered ordered -> {
                mover.ordered(ordered);
                proceed();
            }
            case LoopEvent.Renewed renewed -> {
                mover.renewed(renewed);
                proceed();
            }
            case LoopEvent.WordSet answer ->
                ownAnswer(() -> {
                    if (!repairs.wordSet(answer)) {
                        victim.wordSet(answer);
                    }
                });
            case LoopEvent.Journalled answer -> ownAnswer(() -> victim.journalled(answer));
            case LoopEvent.Proved answer -> ownAnswer(() -> victim.proved(answer));
            case LoopEvent.Installed(String problem) ->
                ownAnswer(() -> files.installed(problem).ifPresent(victim::installed));
            case LoopEvent.Kept answer -> pauses.kept(answer);
            case LoopEvent.Commanded command -> {
                operators.commanded(command);
                whileResting(this::look);
            }
            case LoopEvent.Reconfigured(ClusterConfig next) -> nextConfig = next;
            case LoopEvent.Stopped _ -> stop();
        }
    }

    private void whileResting(Runnable action) {
        if (state == State.RESTING) {
            action.run();
        }
    }

    /** Something of the own node has come out; it may be what the next look waits for. */
    private void ownAnswer(Runnable answer) {
        boolean wasWaiting = victim.isWaitingForUpstream();
        answer.run();
        if (victim.isWaitingForUpstream() && !wasWaiting) {
            lookDueNanos = scene.nowNanos();
        }
        whileResting(this::rest);
    }

    private void woken(LoopEvent.Woken woken) {
        if (state != State.RESTING) {
            return;
        }
        ClusterConfig next = nextConfig;
        if (next != null) {
            isUndeclared |= !ConfigDigest.of(next).equals(ConfigDigest.of(scene.config()));
            scene.reconfigure(next);
            nextConfig = null;
        }
        scene.read(woken.here());
        if (operators.isWaiting() || scene.nowNanos() - lookDueNanos >= 0) {
            look();
        } else if (!woken.callers().isEmpty()) {
            state = State.LOOKING;
            scene.emit(new LoopEffect.Glance<>(woken.callers()));
        } else {
            goOn();
        }
    }

    private void look() {
        state = State.LOOKING;
        lookBegunNanos = scene.nowNanos();
        scene.emit(new LoopEffect.Look<>());
    }

    private void looked(LoopEvent.Looked look) {
        if (state == State.CARRYING_OUT && mover.isLooking()) {
            scene.looked(look);
            mover.lookedAgain(look.isLeaseSafe());
            proceed();
        } else if (state == State.LOOKING) {
            scene.looked(look);
            round();
        }
    }

    private void glanced(LoopEvent.Glanced glance) {
        if (state != State.LOOKING) {
            return;
        }
        if (!scene.glanced(glance)) {
            look();
            return;
        }
        follow();
        if (!isStopping) {
            agenda.addAll(mover.glanced());
        }
        carryOut();
    }

    private void round() {
        if (isFirstLook) {
            isFirstLook = false;
            victim.recover(journal);
            journal = List.of();
        }
        follow();
        victim.looked();
        if (!isStopping) {
            agenda.addAll(operators.looked());
            agenda.add(() -> mover.looked().forEach(agenda::add));
        }
        carryOut();
    }

    private void follow() {
        scene.mendOwnWord();
        pauses.heard();
        shadow.looked();
        if (victim.isIdle()) {
            scene.own().filter(own -> own.phase() == Phase.ACTIVE).ifPresent(files::follow);
        }
        files.postTargets();
    }

    private void carryOut() {
        state = State.CARRYING_OUT;
        isRound = true;
        proceed();
    }

    /** Goes on with what is to be done after a look, until an answer is awaited, and then with what is under way. */
    private void proceed() {
        if (state != State.CARRYING_OUT) {
            return;
        }
        while (!mover.isWaiting() && !agenda.isEmpty()) {
            agenda.remove().run();
        }
        if (mover.isWaiting()) {
            return;
        }
        if (isRound) {
            isRound = false;
            lookDueNanos = lookBegunNanos + nextLookNanos();
            goOn();
        } else {
            rest();
        }
    }

    /** From the newest look at all to the next. */
    private long nextLookNanos() {
        long sensitivityNanos = scene.config().timing().sensitivity().toNanos();
        if (victim.seemsLetGo()) {
            return 0;
        }
        if (victim.isWaitingForNodes() || mover.isWatching()) {
            return Math.min(BUSY_WAIT_NANOS, sensitivityNanos);
        }
        long settlesNanos = scene.settlesInNanos();
        return settlesNanos < sensitivityNanos
                ? Math.min(scene.nowNanos() - lookBegunNanos + settlesNanos, sensitivityNanos)
                : sensitivityNanos;
    }

    private void goOn() {
        boolean wasWaiting = victim.isWaitingForUpstream();
        victim.step();
        if (victim.isWaitingForUpstream() && !wasWaiting) {
            lookDueNanos = scene.nowNanos();
        }
        LoopEvent.Sampled sample = scene.sample();
        if (sample != null && victim.isIdle()) {
            files.check(sample);
        } else if (sample != null) {
            files.see(sample);
        }
        mover.tick();
        if (mover.isWaiting()) {
            state = State.CARRYING_OUT;
        } else {
            rest();
        }
    }

    private void rest() {
        if (isStopping && victim.isIdle()) {
            state = State.ENDED;
            scene.emit(new LoopEffect.End<>());
            return;
        }
        state = State.RESTING;
        declare();
        long leftNanos = Math.max(0, lookDueNanos - scene.nowNanos());
        boolean isBusy = !victim.isIdle() || files.isPending();
        scene.emit(new LoopEffect.Await<>(isBusy ? Math.min(leftNanos, BUSY_WAIT_NANOS) : leftNanos));
    }

    /** Not while a move needs the connections, which are made anew for it. */
    private void declare() {
        if (isUndeclared && victim.isIdle() && !mover.isWatching()) {
            isUndeclared = false;
            scene.emit(new LoopEffect.Declare<>(ConfigDigest.of(scene.config())));
        }
    }

    private void stop() {
        isStopping = true;
        operators.close();
        repairs.close();
        agenda.clear();
        mover.stop();
        victim.stop();
        if (state == State.RESTING || (state == State.CARRYING_OUT && !mover.isWaiting())) {
            goOn();
        }
    }

    /** The newest view. */
    public ClusterView view() {
        return scene.view();
    }

    /** What follows from all views so far. */
    public History history() {
        return scene.history();
    }

    /** What a shadow has found out; nothing of another agent. */
    public Optional<Shadow> shadow() {
        return scene.isShadow() ? Optional.of(shadow.shadow()) : Optional.empty();
    }

    /** The configuration that is in force. */
    public ClusterConfig config() {
        return scene.config();
    }

    /** Whether this node holds a move lock. */
    public boolean isHolding() {
        return mover.isHolding();
    }

    /** Whether neither a move of this node nor one that it watches is under way, and no file waits to be taken. */
    public boolean isQuiet() {
        return victim.isIdle() && !mover.isWatching() && !mover.isWaiting() && !files.isPending();
    }

    /** Whether no move of this node is under way. */
    public boolean isIdle() {
        return victim.isIdle();
    }

    /** Stamp of the file that was written last. */
    public long stampOnDisk() {
        return files.stampOnDisk();
    }

    /** Whether the server runs it. */
    public boolean isFileTaken() {
        return files.isTaken();
    }

    /** Whether an operator has paused the decisions of the cluster. */
    public boolean isClusterPaused() {
        return pauses.isClusterPaused();
    }

    /** Whether an operator has paused the decisions of this agent. */
    public boolean isPausedHere() {
        return pauses.isPausedHere();
    }
}
