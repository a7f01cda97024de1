package dev.retier.agent.daemon;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.ManualMoves.Undo;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Obeys operators. Commands come from the threads of the control socket; the control loop carries them out after a
 * fresh look.
 */
final class Operations {
    /** More than connections are taken. */
    private static final int MAX_WAITING = 32;

    /** The move itself has its own deadlines; this is for the lock and two looks. */
    private static final Duration ORDERING = Duration.ofSeconds(10);

    private final LiveConfig live;
    private final NodeId self;
    private final Watcher watcher;
    private final MoverDriver mover;
    private final Follower follower;
    private final OperatorNotes notes;
    private final BlockingQueue<Task> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    private record Task(Command command, CompletableFuture<Answer> answer) {}

    /** What operators act upon. */
    record Parts(Watcher watcher, MoverDriver mover, Follower follower, OperatorNotes notes) {}

    Operations(LiveConfig live, NodeId self, Parts parts) {
        this.live = live;
        this.self = self;
        this.watcher = parts.watcher;
        this.mover = parts.mover;
        this.follower = parts.follower;
        this.notes = parts.notes;
    }

    private ClusterConfig config() {
        return live.cluster();
    }

    /** Hands a command to the control loop and waits for what becomes of it. Any thread. */
    Answer ask(Command command) throws InterruptedException {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        if (!waiting.offer(new Task(command, answer))) {
            return Answer.of(Outcome.FAILED, "too many commands wait; try again");
        }
        Duration patience = mover.patience().plus(ORDERING);
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Answer.of(Outcome.TIMED_OUT, "no end was seen within " + patience.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Answer.of(Outcome.FAILED, String.valueOf(e.getCause()));
        }
    }

    /** Whether a command waits for a look. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** After a look: carries out what has come. */
    void looked() {
        for (Task task = waiting.poll(); task != null; task = waiting.poll()) {
            try {
                begin(task);
            } catch (RuntimeException e) {
                task.answer.completeExceptionally(e);
                throw e;
            }
        }
    }

    private void begin(Task task) {
        switch (task.command) {
            case Command.Plan _ -> task.answer.complete(plan());
            case Command.Pause(boolean isHereOnly) -> task.answer.complete(pause(isHereOnly, true));
            case Command.Resume(boolean isHereOnly) -> task.answer.complete(pause(isHereOnly, false));
            case Command.Diff(String to) -> task.answer.complete(diff(to));
            case Command.Move(String node, String to, Manner manner) -> move(task, node, to, manner);
            case Command.Drain(String node, Manner manner) -> move(task, node, RoleText.DRAINED, manner);
            case Command.Undrain(String node, String to, Manner manner) -> undrain(task, node, to, manner);
            case Command.Undo(Manner manner) -> undo(task, manner);
        }
    }

    private void undo(Task task, Manner manner) {
        switch (mover.undo(manner.isForced())) {
            case Undo.Take(Wish wish) -> move(task, wish, manner);
            case Undo.Elsewhere(NodeId node, long epoch) ->
                task.answer.complete(refused(
                        StayReason.NOTHING_TO_UNDO,
                        config().node(node).name() + " had a move in epoch " + epoch + ", before this agent was"
                                + " started: ask the agent of that node to undo it"));
            case Undo.Nothing _ -> task.answer.complete(refused(StayReason.NOTHING_TO_UNDO, ""));
        }
    }

    private Answer plan() {
        Answer answer = Answer.of(Outcome.DONE);
        ArrayNode sites = answer.body().putArray("sites");
        boolean isAnyMove = false;
        for (SiteConfig site : config().sites()) {
            Decision decision = mover.wouldDecide(site);
            isAnyMove |= decision instanceof Decision.Move;
            describe(sites.addObject().put("site", site.name()), decision);
        }
        if (!isAnyMove) {
            return answer;
        }
        Answer changes = Answer.of(Outcome.CHANGES);
        changes.body().set("sites", sites);
        return changes;
    }

    private void describe(ObjectNode out, Decision decision) {
        out.put("decision", decision instanceof Decision.Move ? "move" : "stay");
        out.put("reason", decision.reasonWord());
        out.put("sentence", decision.sentence());
        out.put("detail", decision.detail());
        if (decision instanceof Decision.Move move) {
            wanted(out, move);
            ArrayNode held = out.putArray("held_back_by");
            if (notes.isPaused()) {
                held.add("a pause of " + notes.scope());
            }
            if (mover.mode() != Mode.ACT) {
                held.add("mode " + mover.mode().name().toLowerCase(Locale.ROOT));
            }
            out.put("made_by_this_agent", Initiator.mayMake(self, watcher.view(), move));
        }
    }

    private void wanted(ObjectNode out, Decision.Move move) {
        out.put("node", config().node(move.node()).name());
        out.put("from", RoleText.of(move.from(), config()));
        out.put("to", RoleText.of(move.to(), config()));
    }

    private Answer pause(boolean isHereOnly, boolean pause) {
        try {
            if (isHereOnly) {
                notes.pauseHere(pause);
            } else {
                notes.pauseCluster(pause);
            }
        } catch (IOException e) {
            return Answer.of(Outcome.FAILED, "it cannot be kept over a restart, so nothing was changed: " + e);
        }
        mover.announceNotes();
        Answer answer = Answer.of(Outcome.DONE);
        answer.body().put("paused_cluster", notes.isClusterPaused()).put("paused_here", notes.isPausedHere());
        return answer;
    }

    private void undrain(Task task, String node, @Nullable String to, Manner manner) {
        Optional<NodeConfig> known = config().nodeNamed(node);
        boolean isDrained = known.flatMap(found -> watcher.view().word(found.id()))
                .filter(word -> word.serves(Role.DRAINED))
                .isPresent();
        if (known.isPresent() && !isDrained) {
            task.answer.complete(refused(StayReason.ALREADY_THERE, node + " is not drained"));
        } else {
            move(task, node, to == null ? RoleText.tier(Role.SPARE) : to, manner);
        }
    }

    private void move(Task task, String node, String to, Manner manner) {
        Optional<NodeConfig> known = config().nodeNamed(node);
        Optional<Role> role = RoleText.parse(to, config());
        if (known.isEmpty() || role.isEmpty()) {
            task.answer.complete(Answer.of(Outcome.BAD_REQUEST, known.isEmpty() ? noNode(node) : noRole(to)));
        } else {
            move(task, new Wish(known.get().id(), role.get(), manner.isForced()), manner);
        }
    }

    private String noNode(String name) {
        return "no node is called " + name + "; there are "
                + config().nodes().stream().map(NodeConfig::name).collect(Collectors.joining(", "));
    }

    private String noRole(String name) {
        return name + " is no role of this cluster; write spare, or SITE/proxy or SITE/app with one of the sites "
                + config().sites().stream().map(SiteConfig::name).collect(Collectors.joining(", "));
    }

    private void move(Task task, Wish wish, Manner manner) {
        switch (mover.judge(wish)) {
            case Decision.Stay stay -> task.answer.complete(refused(stay.reason(), stay.detail()));
            case Decision.Move move
            when manner.isDryRun() -> {
                Answer answer = Answer.of(Outcome.CHANGES);
                wanted(answer.body(), move);
                answer.body().put("detail", mover.prediction(move));
                task.answer.complete(answer);
            }
            case Decision.Move move -> mover.begin(wish, move, task.answer);
        }
    }

    /** A refusal as an answer. */
    static Answer refused(StayReason reason, String detail) {
        Answer answer = Answer.of(
                switch (reason) {
                    case LOCK_HELD, LOCK_UNAVAILABLE, LEASE_ENDED, VIEW_WAS_OLD, ORDER_NOT_SENT -> Outcome.NO_LOCK;
                    default -> Outcome.REFUSED;
                },
                detail);
        answer.body().put("reason", reason.name()).put("sentence", reason.sentence());
        return answer;
    }

    private Answer diff(@Nullable String to) {
        Optional<Role> role = to == null ? Optional.empty() : RoleText.parse(to, config());
        return to != null && role.isEmpty()
                ? Answer.of(Outcome.BAD_REQUEST, noRole(to))
                : follower.difference(watcher.view(), role);
    }

    /** The agent is leaving: nobody waits in vain. */
    void close() {
        for (Task task = waiting.poll(); task != null; task = waiting.poll()) {
            task.answer.complete(Answer.of(Outcome.FAILED, "the agent is leaving"));
        }
    }
}
