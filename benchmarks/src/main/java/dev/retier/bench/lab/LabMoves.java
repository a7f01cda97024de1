package dev.retier.bench.lab;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.view.Stamps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Moves one node of the lab to and fro, as an operator does, and reads from the journal how long each phase took. */
final class LabMoves {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_EVERY_NANOS = 1_000_000;
    private static final long AGAIN_NANOS = 100_000_000;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final String elsewhere;
    private boolean isProxy;
    private long putOff;
    private long putOffNanos;

    /** Node {@code number}: a proxy now if its server can be an app, which it is in turns with that; else a spare. */
    LabMoves(int number) {
        this.cluster = LabRuns.cluster();
        this.node = cluster.nodes().get(number - 1);
        this.isProxy = node.server().canBeApp();
        this.elsewhere = isProxy ? "shop/app" : "spare";
    }

    /**
     * One move.
     *
     * @param toProxy whether it went to the proxies
     * @param millis time of each step
     */
    record Timed(boolean toProxy, Map<Step, Double> millis) {
        double of(Step step) {
            return Objects.requireNonNull(millis.get(step));
        }
    }

    /** The steps of a move as those see them who use the nodes. */
    enum Step {
        ORDER("order: lock, fence, second look; and until the end is noticed"),
        UPSTREAM_OUT("upstream out: nobody sends to the node any more"),
        DRAIN("drain"),
        SWITCH("switch: in force in the new role"),
        PROVE("prove, and say so"),
        UPSTREAM_IN("upstream in: everybody concerned sends to it in its new role"),
        ALL("the whole move"),
        ACTIVE("of it from the order until active in the new role");

        private final String meaning;

        Step(String meaning) {
            this.meaning = meaning;
        }

        String meaning() {
            return meaning;
        }
    }

    /**
     * Moves it to where it is not, and waits until the nodes upstream of that, if there are any, have taken it in.
     *
     * @throws IOException when the move is refused or does not end well
     */
    Timed next() throws IOException {
        String to = isProxy ? elsewhere : "shop/proxy";
        Answer answer = ask(to);
        if (answer.outcome() != Answer.Outcome.DONE) {
            throw new IOException("a move of " + node.name() + " to " + to + " failed: " + answer.print());
        }
        isProxy = !isProxy;
        double took = answer.body().path("seconds").asDouble() * MILLIS_PER_SECOND;
        PastMove move = awaitJournal();
        Instant active = move.at().plus(Objects.requireNonNull(move.phases().get(MovePhase.ACTIVE)));
        boolean isUsed = isProxy || node.server().canBeApp();
        Duration upstreamIn = isUsed
                ? Duration.between(
                        active, awaitUpstream(Stamps.ended(move.order().epoch())))
                : Duration.ZERO;
        return timed(move, took, upstreamIn);
    }

    /**
     * What is refused because too many nodes have just been silent, or the move lock could not be had or kept, is asked
     * for again, as the answer says.
     */
    private Answer ask(String to) throws IOException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        Command.Move order = new Command.Move(node.name(), to, new Manner(false, true));
        Answer answer = ControlClient.ask(own().controlSocket(), order, PATIENCE);
        if (!isPassing(answer)) {
            return answer;
        }
        long begunNanos = System.nanoTime();
        while (isPassing(answer) && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(AGAIN_NANOS);
            answer = ControlClient.ask(own().controlSocket(), order, PATIENCE);
        }
        putOff++;
        putOffNanos += System.nanoTime() - begunNanos;
        return answer;
    }

    private static boolean isPassing(Answer answer) {
        boolean isTooMuchUnknown = answer.body().path("reason").asString("").equals(StayReason.TOO_MUCH_UNKNOWN.name());
        return answer.outcome() == Answer.Outcome.NO_LOCK
                || (answer.outcome() == Answer.Outcome.REFUSED && isTooMuchUnknown);
    }

    /** How many moves were put off so, and for how long, for people; empty when none was. */
    String putOff() {
        return putOff == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d moves were put off, for %.1f s in all, as too many nodes had been silent or the move"
                                + " lock could not be kept: agents that have no processor time left cannot publish"
                                + " or look again in time. Times begin with the order that was taken.",
                        putOff,
                        putOffNanos / 1e9);
    }

    /** Who ordered the move may know of its end before that is on disk. */
    private PastMove awaitJournal() throws IOException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        PastMove move = PastMove.of(Journal.entries(own().journalDirectory())).getLast();
        while (!move.end().isFinal()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException("the journal of " + node.name() + " does not end with the end of its move");
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            move = PastMove.of(Journal.entries(own().journalDirectory())).getLast();
        }
        return move;
    }

    private Timed timed(PastMove move, double tookMillis, Duration upstreamIn) {
        Map<Step, Double> millis = new EnumMap<>(Step.class);
        millis.put(Step.ORDER, tookMillis - millis(move, MovePhase.ORDERED, MovePhase.ACTIVE));
        millis.put(Step.UPSTREAM_OUT, millis(move, MovePhase.ORDERED, MovePhase.UPSTREAM_PROVEN));
        millis.put(Step.DRAIN, millis(move, MovePhase.UPSTREAM_PROVEN, MovePhase.DRAINED));
        millis.put(Step.SWITCH, millis(move, MovePhase.DRAINED, MovePhase.SWITCHED));
        millis.put(Step.PROVE, millis(move, MovePhase.SWITCHED, MovePhase.ACTIVE));
        millis.put(Step.UPSTREAM_IN, Math.max(0, millis(upstreamIn)));
        millis.put(
                Step.ALL,
                millis.values().stream().mapToDouble(Double::doubleValue).sum());
        millis.put(Step.ACTIVE, millis(move, MovePhase.ORDERED, MovePhase.ACTIVE));
        return new Timed(isProxy, millis);
    }

    private static double millis(PastMove move, MovePhase from, MovePhase to) {
        return millis(Objects.requireNonNull(move.phases().get(to))
                .minus(Objects.requireNonNull(move.phases().get(from))));
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / NANOS_PER_MILLI;
    }

    private AgentConfig own() {
        return new AgentConfig(cluster, node.id());
    }

    /** A file is replaced once the server that reads it has been seen to obey. Returns when the last one was. */
    private Instant awaitUpstream(long stamp) throws IOException {
        List<Path> files = upstream();
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!isEveryAt(stamp, files)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException(files + " did not all reach stamp " + stamp);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        Instant last = Instant.EPOCH;
        for (Path file : files) {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            last = written.isAfter(last) ? written : last;
        }
        return last;
    }

    /** The edge's file for a proxy; for an app those of the proxies. */
    private List<Path> upstream() throws IOException {
        if (isProxy) {
            return List.of(LabRuns.HOME.resolve("edge/retier.cfg"));
        }
        try (Stream<NodeConfig> nodes = cluster.nodes().stream()) {
            return nodes.map(other -> other.server().roleFile())
                    .filter(LabMoves::isOfProxy)
                    .toList();
        }
    }

    private static boolean isOfProxy(Path file) {
        return Rendering.roleOf(read(file)).equals(Optional.of(RoleFlags.PROXY));
    }

    private static boolean isEveryAt(long stamp, List<Path> files) {
        return files.stream()
                .allMatch(file -> Mark.ofFile(read(file))
                        .filter(mark -> mark.stamp() >= stamp)
                        .isPresent());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return ""; // it is being replaced
        }
    }
}
