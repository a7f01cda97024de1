package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.CompletedMove;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.ManualMoves;
import dev.retier.agent.decide.ManualMoves.OwnPast;
import dev.retier.agent.decide.ManualMoves.Past;
import dev.retier.agent.decide.ManualMoves.Undo;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Obeys operators, after a fresh look. Owned by the loop. */
final class OperatorDesk<F extends RoleFile> {
    private final Scene<F> scene;
    private final MoverDesk<F> mover;
    private final FileKeeper<F> files;
    private final Pauses<F> pauses;
    private final RepairDesk<F> repairs;
    private final Deque<LoopEvent.Commanded> waiting = new ArrayDeque<>();
    /** Of these the look has come, but something else is still awaited. */
    private final Deque<LoopEvent.Commanded> due = new ArrayDeque<>();

    private OwnPast past;
    private boolean isClosed;

    /** Who carries out what operators want. */
    record Hands<F extends RoleFile>(
            MoverDesk<F> mover, FileKeeper<F> files, Pauses<F> pauses, RepairDesk<F> repairs) {}

    OperatorDesk(Scene<F> scene, Hands<F> hands) {
        this.scene = scene;
        this.mover = hands.mover;
        this.files = hands.files;
        this.pauses = hands.pauses;
        this.repairs = hands.repairs;
        this.past = new OwnPast(scene.self(), Optional.empty());
    }

    /** The agent begins, and has kept that. */
    void begin(List<MoveRecord> journal) {
        past = new OwnPast(
                scene.self(),
                journal.reversed().stream()
                        .filter(entry -> entry.phase() == MovePhase.ACTIVE)
                        .findFirst()
                        .map(MoveRecord::word)
                        .map(order -> new CompletedMove(scene.self(), order.from(), order.to(), order.epoch())));
    }

    /** Puts a command in line for the next look. */
    void commanded(LoopEvent.Commanded command) {
        if (isClosed) {
            leaving(command);
        } else {
            waiting.add(command);
        }
    }

    /** Whether a command waits for a look. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** After a look: what has come, piece by piece. */
    List<Runnable> looked() {
        due.addAll(waiting);
        List<Runnable> pieces = Collections.nCopies(waiting.size(), this::beginNext);
        waiting.clear();
        return pieces;
    }

    private void beginNext() {
        LoopEvent.Commanded next = due.remove();
        begin(next.ticket(), next.command());
    }

    /** The agent is leaving: nobody waits in vain, and whoever comes later is told at once. */
    void close() {
        isClosed = true;
        due.forEach(this::leaving);
        due.clear();
        waiting.forEach(this::leaving);
        waiting.clear();
    }

    private void leaving(LoopEvent.Commanded command) {
        reply(command.ticket(), Answer.of(Outcome.FAILED, "the agent is leaving"));
    }

    private void reply(long ticket, Answer answer) {
        scene.emit(new LoopEffect.Reply<>(ticket, answer));
    }

    private void begin(long ticket, Command command) {
        switch (command) {
            case Command.Plan _ -> reply(ticket, plan());
            case Command.Pause(boolean isHereOnly) -> pauses.change(ticket, isHereOnly, true);
            case Command.Resume(boolean isHereOnly) -> pauses.change(ticket, isHereOnly, false);
            case Command.Diff(String to) -> diff(ticket, to);
            case Command.Move(String node, String to, Manner manner) ->
                move(ticket, node, to, manner, Past.ofMove(manner.isForced()));
            case Command.Drain(String node, Manner manner) ->
                move(ticket, node, RoleText.DRAINED, manner, Past.ofMove(manner.isForced()));
            case Command.Undrain(String node, String to, Manner manner) -> undrain(ticket, node, to, manner);
            case Command.Undo(Manner manner) -> undo(ticket, manner);
            case Command.Repair(String node, boolean isDryRun) -> repair(ticket, node, isDryRun);
        }
    }

    private void repair(long ticket, String node, boolean isDryRun) {
        Optional<NodeConfig> known = config().nodeNamed(node);
        if (known.isEmpty()) {
            reply(ticket, Answer.of(Outcome.BAD_REQUEST, noNode(node)));
        } else if (!known.get().id().equals(scene.self())) {
            String own = config().node(scene.self()).name();
            reply(
                    ticket,
                    Answer.of(
                            Outcome.BAD_REQUEST,
                            "this is the agent of " + own + "; only that of " + node + " has its journal: ask there"));
        } else {
            repairs.begin(ticket, isDryRun);
        }
    }

    private void undo(long ticket, Manner manner) {
        Undo undo = ManualMoves.undo(scene.view(), scene.history(), past, manner.isForced());
        switch (undo) {
            case Undo.Take(Wish wish) -> move(ticket, wish, manner);
            case Undo.Elsewhere(NodeId node, long epoch) ->
                reply(
                        ticket,
                        Answers.refused(
                                StayReason.NOTHING_TO_UNDO,
                                config().node(node).name() + " had a move in epoch " + epoch
                                        + ", before this agent was started: ask the agent of that node to undo it"));
            case Undo.Nothing _ -> reply(ticket, Answers.refused(StayReason.NOTHING_TO_UNDO, ""));
        }
    }

    private ClusterConfig config() {
        return scene.config();
    }

    private Answer plan() {
        Answer answer = Answer.of(Outcome.DONE);
        ArrayNode sites = answer.body().putArray("sites");
        boolean isAnyMove = false;
        for (SiteConfig site : config().sites()) {
            Decision decision = mover.decide(site, scene.policy().inMode(Mode.ACT));
            isAnyMove |= decision instanceof Decision.Change;
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
        out.put("decision", decision instanceof Decision.Change ? "move" : "stay");
        out.put("reason", decision.reasonWord());
        out.put("sentence", decision.sentence());
        out.put("detail", decision.detail());
        if (decision instanceof Decision.Change change) {
            Answers.waves(out.putArray("waves"), change, config());
            ArrayNode held = out.putArray("held_back_by");
            if (pauses.isPaused()) {
                held.add("a pause of " + pauses.scope());
            }
            Mode mode = scene.policy().mode();
            if (mode != Mode.ACT) {
                held.add("mode " + mode.name().toLowerCase(Locale.ROOT));
            }
            out.put("made_by_this_agent", Initiator.mayMake(scene.self(), scene.view(), change));
        }
    }

    private void undrain(long ticket, String node, @Nullable String to, Manner manner) {
        Optional<NodeConfig> known = config().nodeNamed(node);
        boolean isDrained = known.flatMap(found -> scene.view().word(found.id()))
                .filter(word -> word.serves(Role.DRAINED))
                .isPresent();
        if (known.isPresent() && !isDrained) {
            reply(ticket, Answers.refused(StayReason.ALREADY_THERE, node + " is not drained"));
        } else {
            String back = to == null ? RoleText.tier(Role.SPARE) : to;
            move(ticket, node, back, manner, Past.ofReturn(manner.isForced()));
        }
    }

    private void move(long ticket, String node, String to, Manner manner, Past past) {
        Optional<NodeConfig> known = config().nodeNamed(node);
        Optional<Role> role = RoleText.parse(to, config());
        if (known.isEmpty() || role.isEmpty()) {
            reply(ticket, Answer.of(Outcome.BAD_REQUEST, known.isEmpty() ? noNode(node) : noRole(to)));
        } else {
            move(ticket, new Wish(known.get().id(), role.get(), past), manner);
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

    private void move(long ticket, Wish wish, Manner manner) {
        switch (mover.judge(wish)) {
            case Decision.Stay stay -> reply(ticket, Answers.refused(stay.reason(), stay.detail()));
            case Decision.Change change
            when manner.isDryRun() -> {
                Answer answer = Answer.of(Outcome.CHANGES);
                Decision.Move move = change.first();
                Answers.move(answer.body(), move, config());
                String prediction = ManualMoves.prediction(scene.history(), move.from(), move.node());
                answer.body().put("detail", prediction);
                reply(ticket, answer);
            }
            case Decision.Change change -> mover.begin(wish, change, ticket);
        }
    }

    private void diff(long ticket, @Nullable String to) {
        Optional<Role> asked = to == null
                ? scene.view().word(scene.self()).map(word -> word.to()).or(() -> Optional.of(Role.SPARE))
                : RoleText.parse(to, config());
        if (asked.isEmpty()) {
            reply(ticket, Answer.of(Outcome.BAD_REQUEST, noRole(String.valueOf(to))));
            return;
        }
        Role role = asked.get();
        try {
            files.wouldWrite(role)
                    .ifPresentOrElse(
                            file -> scene.emit(new LoopEffect.Compare<>(ticket, role, file)),
                            () -> reply(
                                    ticket,
                                    Answer.of(
                                            Outcome.REFUSED,
                                            "there is no file for " + RoleText.of(role, config()) + " now")));
        } catch (IllegalArgumentException e) {
            reply(ticket, Answer.of(Outcome.FAILED, String.valueOf(e.getMessage())));
        }
    }
}
