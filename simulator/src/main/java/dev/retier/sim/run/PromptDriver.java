package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each stretch of requests the roles that are best for it, once it has lasted for a while, by as few moves as
 * that takes, all at once; a node that moves serves nobody meanwhile. A stretch that is over before it is known
 * changes nothing. Not thread-safe.
 */
final class PromptDriver implements Service.Listener {
    private final ClusterConfig config;
    private final VirtualTime time;
    private final Service service;
    private final Planner planner;
    private final NeedsSeen needs;
    private final long knowsNanos;
    private final long moveNanos;
    /** What each node serves; spare while it moves. */
    private final List<Role> present;
    /** What nodes that move will serve. */
    private final Map<Integer, Role> coming = new HashMap<>();

    private final List<MoveSeen> moves = new ArrayList<>();
    private List<Role> wanted;
    private long stretch;

    PromptDriver(Setup setup, Approach.Prompt prompt, VirtualTime time, Service service) {
        this.config = setup.config();
        this.time = time;
        this.service = service;
        this.planner = new Planner(config, TriedRates.of(setup));
        this.needs = new NeedsSeen(setup.demands(), config.sites().size());
        this.knowsNanos = prompt.knows().toNanos();
        this.moveNanos = prompt.move().toNanos();
        this.present = new ArrayList<>(
                config.nodes().stream().map(node -> node.initialRole()).toList());
        this.wanted = List.copyOf(present);
        Simulation.assign(config, service, present);
    }

    @Override
    public void sending(int demand, int index) {
        if (!needs.isNew(demand, index)) {
            return;
        }
        long begun = ++stretch;
        time.after(knowsNanos, () -> {
            if (begun == stretch) {
                wanted = planner.best(needs.now()).roles(config);
                head();
            }
        });
    }

    /** Orders every move that the wanted roles still ask for; a tier keeps a node that serves. */
    private void head() {
        Map<Role, Integer> missing = new HashMap<>();
        wanted.forEach(role -> missing.merge(role, 1, Integer::sum));
        for (int node = 0; node < present.size(); node++) {
            missing.merge(coming.getOrDefault(node, present.get(node)), -1, Integer::sum);
        }
        List<Role> taking = missing.entrySet().stream()
                .flatMap(entry -> Collections.nCopies(Math.max(0, entry.getValue()), entry.getKey()).stream())
                .sorted(Comparator.comparingInt(wanted::indexOf))
                .toList();
        int next = 0;
        for (int node = 0; node < present.size() && next < taking.size(); node++) {
            Role role = present.get(node);
            if (!coming.containsKey(node) && missing.getOrDefault(role, 0) < 0 && isLeft(role)) {
                missing.merge(role, 1, Integer::sum);
                move(node, taking.get(next++));
            }
        }
        Simulation.assign(config, service, present);
    }

    /** Whether a node that serves is left when one goes. */
    private boolean isLeft(Role role) {
        return role.equals(Role.SPARE) || present.stream().filter(role::equals).count() > 1;
    }

    private void move(int node, Role to) {
        Role from = present.set(node, Role.SPARE);
        coming.put(node, to);
        int number = moves.size();
        moves.add(new MoveSeen(seconds(), -1, config.nodes().get(node).id(), from, to, null, null));
        time.after(moveNanos, () -> {
            coming.remove(node);
            present.set(node, to);
            moves.set(number, moves.get(number).ended(seconds(), null));
            head();
        });
    }

    private double seconds() {
        return service.elapsedNanos() / 1e9;
    }

    /** The moves so far, in the order in which they were made. */
    List<MoveSeen> moves() {
        return List.copyOf(moves);
    }
}
