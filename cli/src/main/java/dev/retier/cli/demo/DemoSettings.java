package dev.retier.cli.demo;

import dev.retier.load.drive.Connections;
import dev.retier.sim.model.NodeCosts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code retier demo} is to do.
 *
 * @param nodes emulated nodes, {@value #MIN_NODES} to {@value #MAX_NODES}
 * @param trace a World Cup 98 log to replay; null: bursts are made
 * @param dynamicShare share of the requests of {@code trace} to make dynamic, in [0,1]; null: as the log says
 * @param requestsPerBurst length of one burst, from 1
 * @param rigidLength about how long the rigid pass should take, 1 s to 1 h
 * @param sensitivity S, 10 ms to 1 min
 * @param history T, from S to 10 min
 * @param clients connections of the load generator, 1 to {@value #MAX_CLIENTS}
 * @param connections what becomes of them as proxies come and go
 * @param seed of everything random in the trace
 * @param closures servers and agents to close while it runs
 */
public record DemoSettings(
        int nodes,
        @Nullable Path trace,
        @Nullable Double dynamicShare,
        long requestsPerBurst,
        Duration rigidLength,
        Duration sensitivity,
        Duration history,
        int clients,
        Connections connections,
        long seed,
        List<Closure> closures) {
    /** A tier needs a node, and a move needs one to spare. */
    public static final int MIN_NODES = 3;

    /** As many as two cores emulate without disturbing each other. */
    public static final int MAX_NODES = 32;

    /** Far more than the emulated nodes can keep busy. */
    public static final int MAX_CLIENTS = 2_000;

    /** The longest burst that still ends within an hour on the slowest split. */
    public static final long MAX_REQUESTS_PER_BURST = 10_000_000;

    /**
     * What an emulated node can do: 300 units/s, so that seven nodes together stay far below what two cores can
     * carry. The
     * costs have the ratios of real httpd nodes (a forwarded request a quarter of a cached one, a dynamic one the
     * most).
     */
    public static final NodeCosts COSTS = new NodeCosts(300, 1, 1, 0.25, 3.5);

    /** Copies the list. */
    public DemoSettings {
        closures = List.copyOf(closures);
    }

    /**
     * Everything that is wrong with these settings, one line each with the option to change; empty when they can run.
     */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        requireRange(problems, "--nodes", nodes, MIN_NODES, MAX_NODES);
        requireRange(problems, "--clients", clients, 1, MAX_CLIENTS);
        requireRange(problems, "--burst", requestsPerBurst, 1, MAX_REQUESTS_PER_BURST);
        requireRange(problems, "--seconds", rigidLength.toSeconds(), 1, 3_600);
        requireRange(problems, "-S (in ms)", sensitivity.toMillis(), 10, 60_000);
        requireRange(problems, "-T (in ms)", history.toMillis(), Math.max(10, sensitivity.toMillis()), 600_000);
        if (dynamicShare != null && !(dynamicShare >= 0 && dynamicShare <= 1)) {
            problems.add("--dynamic-share " + dynamicShare + ": must be 0 to 1");
        }
        if (dynamicShare != null && trace == null) {
            problems.add("--dynamic-share says how to read a --trace; name one");
        }
        closures.stream()
                .filter(closure -> closure.node() > nodes)
                .forEach(closure -> problems.add("--close " + closure + ": there are only " + nodes + " nodes"));
        return List.copyOf(problems);
    }

    private static void requireRange(List<String> problems, String option, long value, long min, long max) {
        if (value < min || value > max) {
            problems.add(option + " " + value + ": must be " + min + " to " + max);
        }
    }
}
