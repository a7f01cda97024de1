package dev.retier.sim.faults;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.RoleWord;
import java.util.Map;
import java.util.TreeMap;

/** Watches that agents answer whatever operators command, once and in time, unless they end before. */
final class Commands implements ClusterListener {
    private final ClusterConfig config;
    private final VirtualTime time;
    private final Verdict verdict;
    private final Timeline timeline;
    private final Map<Long, Sent> waiting = new TreeMap<>();
    private long answers;

    private static final class Sent {
        final int node;
        final Command command;
        long sinceNanos;

        Sent(int node, Command command, long sinceNanos) {
            this.node = node;
            this.command = command;
            this.sinceNanos = sinceNanos;
        }
    }

    Commands(ClusterConfig config, VirtualTime time, Verdict verdict, Timeline timeline) {
        this.config = config;
        this.time = time;
        this.verdict = verdict;
        this.timeline = timeline;
    }

    void sent(int node, long ticket, Command command) {
        timeline.note(name(node), () -> "COMMAND " + ticket + " " + command);
        waiting.put(ticket, new Sent(node, command, time.nowNanos()));
    }

    /** How many commands were answered. */
    long answers() {
        return answers;
    }

    /** Whether a command waits for its answer at that node. */
    boolean isWaiting(int node) {
        return waiting.values().stream().anyMatch(sent -> sent.node == node);
    }

    /** Whether an operator who waits at that node has passed over rests and budgets. */
    boolean isForcing(int node) {
        return waiting.values().stream().anyMatch(sent -> sent.node == node && passesRests(sent.command));
    }

    private static boolean passesRests(Command command) {
        return switch (command) {
            case Command.Move(String _, String _, Command.Manner manner) -> manner.isForced();
            case Command.Drain(String _, Command.Manner manner) -> manner.isForced();
            case Command.Undrain _, Command.Undo _ -> true;
            case Command.Plan _, Command.Pause _, Command.Resume _, Command.Diff _, Command.Repair _ -> false;
        };
    }

    /** Called every few milliseconds. */
    void tick(Cluster cluster) {
        waiting.values().removeIf(sent -> !cluster.isAgentUp(sent.node));
        for (Sent sent : waiting.values()) {
            if (cluster.isPaused(sent.node)) {
                sent.sinceNanos = time.nowNanos();
            } else if (time.nowNanos() - sent.sinceNanos > longestNanos()) {
                verdict.violated(name(sent.node) + " has not answered " + sent.command);
            }
        }
    }

    /** The end of an own move that is waited for, of one that is watched, and the lock between them. */
    private long longestNanos() {
        return (long) ((2 * config.longestMove().toNanos()
                        + 2 * config.timing().lease().toNanos())
                * Safety.DRIFT);
    }

    private String name(int node) {
        return config.nodes().get(node).name();
    }

    @Override
    public void answered(int node, long ticket, Answer answer) {
        timeline.note(name(node), () -> "ANSWER " + ticket + " " + answer.print());
        answers++;
        Sent sent = waiting.remove(ticket);
        if (sent == null || sent.node != node) {
            verdict.violated(name(node) + " answers command " + ticket + ", which nobody waits for");
        }
    }

    /** Whoever waited for the agent of before knows that it is gone. */
    @Override
    public void wordAtBoot(int node, RoleWord now) {
        waiting.values().removeIf(sent -> sent.node == node);
    }
}
