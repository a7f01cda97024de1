package dev.retier.sim.faults;

import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * People who command agents at random: which role which node is to have, forced or not, pauses, and the ends of them.
 * When the faults are over they take back what keeps a cluster from deciding: pauses and drained nodes. Not
 * thread-safe.
 */
final class Operators {
    private static final Manner FORCED = new Manner(false, true);
    private static final long AGAIN_NANOS = 250_000_000L;

    private final ClusterConfig config;
    private final VirtualTime time;
    private final Cluster cluster;
    private final Commands commands;
    private final SplittableRandom random;
    private final List<String> roles = new ArrayList<>();
    private long tickets;

    /** Operators of {@code cluster}, who act when they are told. */
    Operators(ClusterConfig config, VirtualTime time, Cluster cluster, Commands commands, SplittableRandom random) {
        this.config = config;
        this.time = time;
        this.cluster = cluster;
        this.commands = commands;
        this.random = random;
        roles.add("spare");
        for (SiteConfig site : config.sites()) {
            roles.add(site.name() + "/proxy");
            roles.add(site.name() + "/app");
        }
    }

    /** Some command at the agent of {@code node}, if it lives. */
    void command(int node) {
        send(node, any());
    }

    private void send(int node, Command command) {
        if (cluster.isAgentUp(node)) {
            long ticket = ++tickets;
            commands.sent(node, ticket, command);
            cluster.command(node, ticket, command);
        }
    }

    private Command any() {
        String node = name(random.nextInt(config.nodes().size()));
        Manner manner = new Manner(random.nextInt(8) == 0, random.nextBoolean());
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> new Command.Move(node, role(), manner);
            case 4, 5 -> new Command.Drain(node, manner);
            case 6 -> new Command.Undrain(node, random.nextBoolean() ? role() : null, manner);
            case 7 -> new Command.Undo(manner);
            case 8 -> new Command.Pause(random.nextBoolean());
            case 9 -> new Command.Resume(random.nextBoolean());
            case 10 -> new Command.Plan();
            default -> new Command.Diff(role());
        };
    }

    private String role() {
        return roles.get(random.nextInt(roles.size()));
    }

    private String name(int node) {
        return config.nodes().get(node).name();
    }

    /** From now on whatever is paused goes on, and whatever is drained is used again. */
    void takeBack() {
        for (int node = 0; node < config.nodes().size(); node++) {
            if (!commands.isWaiting(node)) {
                takeBack(node);
            }
        }
        time.after(AGAIN_NANOS, this::takeBack);
    }

    private void takeBack(int node) {
        if (cluster.isPausedHere(node)) {
            send(node, new Command.Resume(true));
        }
        if (cluster.isClusterPaused(node)) {
            send(node, new Command.Resume(false));
        }
        if (cluster.word(node).serves(Role.DRAINED)) {
            send(node, new Command.Undrain(name(node), null, FORCED));
        }
    }
}
