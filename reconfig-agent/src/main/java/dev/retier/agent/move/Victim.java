package dev.retier.agent.move;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.status.RefusalWatch;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.RoleText;
import dev.retier.agent.view.Stamps;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The node that moves: journals the order, waits until nobody sends to it, drains, switches, proves, and says so.
 *
 * <pre>
 *         Ordered             Journalled           UpstreamSeen
 *   IDLE ---------> JOURNALLING -------> UPSTREAM ---------------> DRAINING
 *    ^                   |                  | deadline                | idle for the quiet time, or deadline
 *    |                   |                  v        not on disk      v       Journalled
 *    |                   +-----------> UNDOING_WORD <----------- RECORDING -------+
 *    |                                      ^                                     v
 *    |                                      |                   SWITCHING <-------+
 *    |                                      ^                         |      | refused, deadline,
 *    |                                      | old role applied,       |      | not written
 *    |                                      | or deadline             v      v
 *    |                                UNDOING_SWITCH <--------- PROVING ---->+
 *    |                                      ^      proof failed,      | Proof(good)
 *    |                                      |      deadline           v
 *    +--- Won ------------------------------+------------------- ACTIVATING
 *
 *   state          | event                     | effects                          | next
 *   ---------------+---------------------------+----------------------------------+---------------
 *   IDLE           | Ordered                   | Journal(ORDERED)                 | JOURNALLING
 *   IDLE           | Found(before SWITCHING)   | SetWord(rolled back)             | UNDOING_WORD
 *   IDLE           | Found(SWITCHING or later) | Reached(SWITCHING),              |
 *                  |                           |   WriteRole(new)                 | SWITCHING
 *   JOURNALLING    | Journalled(yes)           | Reached(ORDERED)                 | UPSTREAM
 *   JOURNALLING    | Journalled(no), Tick a.d. | SetWord(rolled back)             | UNDOING_WORD
 *                  | , Stop                    |                                  |
 *   UPSTREAM       | UpstreamSeen(yes) and the | Reached(UPSTREAM_PROVEN)         | DRAINING
 *                  | hold of its site is over  |                                  |
 *   UPSTREAM       | Tick after deadline, Stop | SetWord(rolled back)             | UNDOING_WORD
 *   DRAINING       | Server(quiet), late       | Reached(DRAINED),                |
 *                  | requests are no matter,   |                                  |
 *                  | or Tick after deadline    |   Journal(SWITCHING)             | RECORDING
 *   RECORDING      | Journalled(yes)           | WriteRole(new)                   | SWITCHING
 *   RECORDING      | Journalled(no), Tick a.d. | SetWord(rolled back)             | UNDOING_WORD
 *                  | , Stop                    |                                  |
 *   DRAINING       | Stop                      | SetWord(rolled back)             | UNDOING_WORD
 *   SWITCHING      | Server, ServerFile(new    | Reached(SWITCHED), Prove         | PROVING
 *                  | role applied)             |                                  |
 *   SWITCHING      | NotWritten, unless Found, | WriteRole(old)                   | UNDOING_SWITCH
 *                  | Server(refused), Tick     |                                  |
 *                  | after deadline            |                                  |
 *   PROVING        | Proof(good)               | Reached(PROVEN), SetWord(active) | ACTIVATING
 *   PROVING        | Proof(bad), Tick a. d.    | WriteRole(old)                   | UNDOING_SWITCH
 *   ACTIVATING     | Answered(Won)             | Reached(ACTIVE), Announce, Fin.  | IDLE
 *   ACTIVATING     | Tick after deadline       | WriteRole(old)                   | UNDOING_SWITCH
 *   UNDOING_SWITCH | Server(old role applied,  | SetWord(rolled back)             | UNDOING_WORD
 *                  | or refused while it runs),|                                  |
 *                  | NotWritten, Tick a. d.    |                                  |
 *   UNDOING_WORD   | Answered(Won)             | Reached(ROLLED_BACK), Announce,  | IDLE
 *                  |                           |   Finished                       |
 * </pre>
 *
 * <p>A change of the own word that did not win is tried again at every tick: it is the only way out, and nobody else
 * changes the word of a node under orders. A node that was found in its switch may run the new role already, and
 * clients may be sent to it: that no file can be made, as nobody is known yet, is no reason to leave that role.
 * {@code Lost} with the very word that was to be set is a win heard of late; {@code Lost} with another one means that
 * the order is over. {@code ServerFile} ends all waits but a drain. Other events change nothing. Not thread-safe.
 */
public final class Victim {
    private enum State {
        IDLE,
        JOURNALLING,
        UPSTREAM,
        DRAINING,
        RECORDING,
        SWITCHING,
        PROVING,
        ACTIVATING,
        UNDOING_SWITCH,
        UNDOING_WORD
    }

    private final ClusterConfig config;
    private final MoveRules rules;
    private final UpstreamWait upstream;
    private final Drain drain;
    private final RefusalWatch refusals = new RefusalWatch();
    private State state = State.IDLE;
    private @Nullable RoleWord order;
    private @Nullable RollbackReason reason;
    private boolean isAnswerDue;
    private boolean isFound;
    private long stateSinceNanos;

    /** A node under no orders, see {@code NodeConfig}; of the cluster the rules and the sites' names count. */
    public Victim(ClusterConfig config, Set<Tier> answersLate) {
        this.config = config;
        this.rules = config.move();
        this.upstream = new UpstreamWait(rules.upstreamDeadline());
        this.drain = new Drain(rules.quietTime(), answersLate);
    }

    /** Whether no move is under way. */
    public boolean isIdle() {
        return state == State.IDLE;
    }

    /** Whether the next step waits for upstream nodes, so that looks should follow closely. */
    public boolean isWaitingForUpstream() {
        return state == State.UPSTREAM;
    }

    /** Whether what its server has in flight is no matter any more. */
    public boolean isDrained() {
        return state.compareTo(State.DRAINING) > 0;
    }

    /** Takes in one event and says what to do now, in this order. */
    public List<VictimEffect> on(VictimEvent event, long nowNanos) {
        return switch (event) {
            case VictimEvent.Ordered(RoleWord word) -> ordered(word, nowNanos);
            case VictimEvent.Found(RoleWord word, MovePhase reached) -> found(word, reached, nowNanos);
            case VictimEvent.Journalled(boolean isOnDisk) -> journalled(isOnDisk, nowNanos);
            case VictimEvent.UpstreamSeen(boolean isProven) -> upstreamSeen(isProven, nowNanos);
            case VictimEvent.Server(ServerStatus status, long askedAtNanos) ->
                server(status, askedAtNanos, true, nowNanos);
            case VictimEvent.ServerFile(ServerStatus status, long askedAtNanos) ->
                server(status, askedAtNanos, false, nowNanos);
            case VictimEvent.Written _ -> written(nowNanos);
            case VictimEvent.NotWritten(RollbackReason why) -> notWritten(why, nowNanos);
            case VictimEvent.Proof(boolean isGood) -> proof(isGood, nowNanos);
            case VictimEvent.Answered(CasOutcome outcome) -> answered(outcome);
            case VictimEvent.Tick _ -> tick(nowNanos);
            case VictimEvent.Stop _ -> stop(nowNanos);
        };
    }

    private List<VictimEffect> ordered(RoleWord word, long nowNanos) {
        if (state != State.IDLE) {
            return List.of();
        }
        begin(word);
        enter(State.JOURNALLING, nowNanos);
        return List.of(new VictimEffect.Journal(record(MovePhase.ORDERED)));
    }

    private List<VictimEffect> found(RoleWord word, MovePhase reached, long nowNanos) {
        if (state != State.IDLE) {
            return List.of();
        }
        begin(word);
        isFound = true;
        return reached.compareTo(MovePhase.SWITCHING) < 0
                ? undoWord(RollbackReason.FOUND_UNFINISHED, nowNanos)
                : switchRole(List.of(reached(MovePhase.SWITCHING)), nowNanos);
    }

    private void begin(RoleWord word) {
        order = word;
        reason = null;
        isAnswerDue = false;
        isFound = false;
        drain.forget();
    }

    private List<VictimEffect> journalled(boolean isOnDisk, long nowNanos) {
        if (state != State.JOURNALLING && state != State.RECORDING) {
            return List.of();
        }
        if (!isOnDisk) {
            return undoWord(RollbackReason.JOURNAL_FAILED, nowNanos);
        }
        if (state == State.RECORDING) {
            return switchRole(List.of(), nowNanos);
        }
        enter(State.UPSTREAM, nowNanos);
        upstream.begin(hold(), nowNanos);
        return List.of();
    }

    /** Apps are sent to by proxies alone, which all say what they run. */
    private Duration hold() {
        return order().from() instanceof Role.Serving(SiteId site, Tier tier) && tier == Tier.PROXY
                ? config.site(site).map(SiteConfig::hold).orElse(Duration.ZERO)
                : Duration.ZERO;
    }

    private List<VictimEffect> upstreamSeen(boolean isProven, long nowNanos) {
        if (state != State.UPSTREAM || !upstream.isOver(isProven, nowNanos)) {
            return List.of();
        }
        enter(State.DRAINING, nowNanos);
        List<VictimEffect> effects = new ArrayList<>(List.of(reached(MovePhase.UPSTREAM_PROVEN)));
        if (drain.isNeedless(order())) {
            effects.addAll(drained(nowNanos));
        }
        return effects;
    }

    /** A status asked for before the present state says nothing about it. */
    private List<VictimEffect> server(ServerStatus status, long askedAtNanos, boolean isWhole, long nowNanos) {
        boolean isRefused = refusals.isRefused(status, askedAtNanos);
        if (isWhole && state != State.IDLE && state.compareTo(State.DRAINING) <= 0) {
            drain.see(status);
        }
        if (askedAtNanos - stateSinceNanos < 0) {
            return List.of();
        }
        return switch (state) {
            case DRAINING ->
                isWhole && drain.isQuiet(order(), status, askedAtNanos, nowNanos) ? drained(nowNanos) : List.of();
            case SWITCHING -> switchSeen(status, isRefused, nowNanos);
            case UNDOING_SWITCH ->
                isApplied(status, order().rolledBack()) || (isRefused && isOldRunning(status))
                        ? undoWord(reason(), nowNanos)
                        : List.of();
            case IDLE, JOURNALLING, UPSTREAM, RECORDING, PROVING, ACTIVATING, UNDOING_WORD -> List.of();
        };
    }

    /** From the next record on the server may be in either role: what a crash leaves must say so. */
    private List<VictimEffect> drained(long nowNanos) {
        enter(State.RECORDING, nowNanos);
        return List.of(reached(MovePhase.DRAINED), new VictimEffect.Journal(record(MovePhase.SWITCHING)));
    }

    private List<VictimEffect> switchRole(List<VictimEffect> before, long nowNanos) {
        enter(State.SWITCHING, nowNanos);
        List<VictimEffect> effects = new ArrayList<>(before);
        effects.add(new VictimEffect.WriteRole(order().to(), Stamps.ordered(order().epoch())));
        return effects;
    }

    private List<VictimEffect> switchSeen(ServerStatus status, boolean isRefused, long nowNanos) {
        if (isApplied(status, order())) {
            enter(State.PROVING, nowNanos);
            return List.of(reached(MovePhase.SWITCHED), new VictimEffect.Prove(order().to()));
        }
        return isRefused ? undoSwitch(RollbackReason.SERVER_REFUSED, nowNanos) : List.of();
    }

    /** The server runs the role of {@code word} by a file that is no older than it. */
    private boolean isApplied(ServerStatus status, RoleWord word) {
        String site = RoleText.site(word.to(), config).orElse(null);
        return status.runs(RoleText.tier(word.to()), site, Stamps.of(word));
    }

    /** Where no file can be written, in a folder that is read-only or full, none will be for as long as one waits. */
    private boolean isOldRunning(ServerStatus status) {
        String site = RoleText.site(order().from(), config).orElse(null);
        return status.runs(RoleText.tier(order().from()), site, 0);
    }

    private List<VictimEffect> written(long nowNanos) {
        refusals.written(nowNanos);
        return List.of();
    }

    private List<VictimEffect> notWritten(RollbackReason why, long nowNanos) {
        return switch (state) {
            case SWITCHING -> isFound ? List.of() : undoSwitch(why, nowNanos);
            case UNDOING_SWITCH -> undoWord(reason(), nowNanos);
            case IDLE, JOURNALLING, UPSTREAM, DRAINING, RECORDING, PROVING, ACTIVATING, UNDOING_WORD -> List.of();
        };
    }

    private List<VictimEffect> proof(boolean isGood, long nowNanos) {
        if (state != State.PROVING) {
            return List.of();
        }
        if (!isGood) {
            return undoSwitch(RollbackReason.PROOF_FAILED, nowNanos);
        }
        enter(State.ACTIVATING, nowNanos);
        return List.of(reached(MovePhase.PROVEN), setWord(order().completed()));
    }

    private List<VictimEffect> answered(CasOutcome outcome) {
        if (state != State.ACTIVATING && state != State.UNDOING_WORD) {
            return List.of();
        }
        isAnswerDue = false;
        RoleWord wanted = wanted();
        return switch (outcome) {
            case CasOutcome.Won _ -> finish(wanted);
            case CasOutcome.Lost(RoleWord actual) when !actual.equals(order()) -> finish(actual);
            case CasOutcome.Lost _, CasOutcome.Malformed _, CasOutcome.Unreachable _, CasOutcome.Unresolved _ ->
                List.of();
        };
    }

    private RoleWord wanted() {
        return state == State.ACTIVATING ? order().completed() : order().rolledBack();
    }

    private List<VictimEffect> finish(RoleWord word) {
        boolean isDone = word.equals(order().completed());
        MovePhase end = isDone ? MovePhase.ACTIVE : MovePhase.ROLLED_BACK;
        RollbackReason why = isDone ? null : reason == null ? RollbackReason.WORD_NOT_SET : reason;
        VictimEffect last = new VictimEffect.Reached(new MoveRecord(order(), end, why), drain.held());
        state = State.IDLE;
        order = null;
        return List.of(last, new VictimEffect.Announce(), new VictimEffect.Finished());
    }

    private List<VictimEffect> tick(long nowNanos) {
        long elapsed = nowNanos - stateSinceNanos;
        return switch (state) {
            case IDLE -> List.of();
            case JOURNALLING, RECORDING ->
                elapsed >= rules.upstreamDeadline().toNanos()
                        ? undoWord(RollbackReason.JOURNAL_FAILED, nowNanos)
                        : List.of();
            case UPSTREAM ->
                upstream.isInVain(nowNanos) ? undoWord(RollbackReason.UPSTREAM_NOT_PROVEN, nowNanos) : List.of();
            case DRAINING -> {
                boolean isInTime = elapsed < rules.drainDeadline().toNanos();
                yield isInTime ? List.of() : drained(nowNanos);
            }
            case SWITCHING -> switchTick(elapsed, RollbackReason.SWITCH_TIMED_OUT, nowNanos);
            case PROVING ->
                elapsed >= rules.proveDeadline().toNanos()
                        ? undoSwitch(RollbackReason.PROOF_TIMED_OUT, nowNanos)
                        : List.of();
            case ACTIVATING -> {
                List<VictimEffect> late = switchTick(elapsed, RollbackReason.WORD_NOT_SET, nowNanos);
                yield late.isEmpty() ? again() : late;
            }
            case UNDOING_SWITCH ->
                elapsed >= rules.switchDeadline().toNanos() ? undoWord(reason(), nowNanos) : List.of();
            case UNDOING_WORD -> again();
        };
    }

    private List<VictimEffect> switchTick(long elapsed, RollbackReason why, long nowNanos) {
        return elapsed >= rules.switchDeadline().toNanos() ? undoSwitch(why, nowNanos) : List.of();
    }

    private List<VictimEffect> again() {
        return isAnswerDue ? List.of() : List.of(setWord(wanted()));
    }

    private List<VictimEffect> stop(long nowNanos) {
        return switch (state) {
            case JOURNALLING, UPSTREAM, DRAINING, RECORDING -> undoWord(RollbackReason.AGENT_LEAVING, nowNanos);
            case IDLE, SWITCHING, PROVING, ACTIVATING, UNDOING_SWITCH, UNDOING_WORD -> List.of();
        };
    }

    private List<VictimEffect> undoSwitch(RollbackReason why, long nowNanos) {
        reason = why;
        enter(State.UNDOING_SWITCH, nowNanos);
        return List.of(new VictimEffect.WriteRole(order().from(), Stamps.ended(order().epoch())));
    }

    private List<VictimEffect> undoWord(RollbackReason why, long nowNanos) {
        reason = why;
        enter(State.UNDOING_WORD, nowNanos);
        return List.of(setWord(order().rolledBack()));
    }

    private VictimEffect setWord(RoleWord next) {
        isAnswerDue = true;
        return new VictimEffect.SetWord(order(), next);
    }

    private void enter(State next, long nowNanos) {
        state = next;
        stateSinceNanos = nowNanos;
    }

    private VictimEffect reached(MovePhase phase) {
        return new VictimEffect.Reached(record(phase), drain.held());
    }

    private MoveRecord record(MovePhase phase) {
        return new MoveRecord(order(), phase, null);
    }

    private RollbackReason reason() {
        return reason == null ? RollbackReason.WORD_NOT_SET : reason;
    }

    private RoleWord order() {
        return Objects.requireNonNull(order, "a node that is not idle is under orders");
    }
}
