package dev.retier.sim.service;

import dev.retier.agent.render.LetGo;
import dev.retier.state.Role;
import java.util.List;

/**
 * What a server runs: its file, once taken.
 *
 * @param stamp number of the file
 * @param role what it serves
 * @param apps indices of the app nodes that a proxy forwards to; empty for others
 * @param letGo which kept connections a proxy lets go
 */
public record Plan(long stamp, Role role, List<Integer> apps, LetGo letGo) {
    /** Every connection is kept. */
    public Plan(long stamp, Role role, List<Integer> apps) {
        this(stamp, role, apps, LetGo.NONE);
    }

    /** Keeps its own copy. */
    public Plan {
        apps = List.copyOf(apps);
    }
}
