package dev.retier.sim.cluster;

import dev.retier.agent.render.RoleFile;
import dev.retier.sim.service.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The generated file of a simulated server.
 *
 * @param plan what it makes the server do
 */
record PlanFile(Plan plan, String role, @Nullable String site) implements RoleFile {
    @Override
    public long stamp() {
        return plan.stamp();
    }
}
