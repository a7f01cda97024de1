package dev.retier.sim.run;

import dev.retier.state.Role;
import java.time.Duration;
import java.util.List;

/** A way to run a data-center. */
public sealed interface Approach {
    /** Roles that never change. */
    record Rigid(List<Role> roles) implements Approach {
        /** Keeps its own copy. */
        public Rigid {
            roles = List.copyOf(roles);
        }
    }

    /** The agents decide; they begin with what the configuration says. */
    record Reconfigured() implements Approach {}

    /**
     * The best roles for each burst, known beforehand and taken at no cost, with every object in every cache: the upper
     * bound.
     */
    record Oracle() implements Approach {}

    /**
     * The best roles for each burst, but nobody knows a burst before it has lasted a while, and a node that moves
     * serves nobody meanwhile: what a decision without any doubt, and with all moves at once, could do.
     *
     * @param knows how long after its beginning a burst is known, from 0
     * @param move how long one move takes, from 0
     */
    record Prompt(Duration knows, Duration move) implements Approach {}
}
