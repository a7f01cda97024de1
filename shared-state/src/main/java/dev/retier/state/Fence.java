package dev.retier.state;

import java.util.Optional;

/** Stamps a term into one role word. Stateless. */
final class Fence {
    /** A word that keeps changing has somebody else at it; that node is left alone. */
    private static final int TRIES = 3;

    private Fence() {}

    /** The word as it now carries the lease's term; empty if the lease ran out or the node does not take it. */
    static Optional<RoleWord> stamp(SharedState state, MoveLease lease, NodeId node, RoleWord read) {
        RoleWord word = read;
        for (int attempt = 0; attempt < TRIES && lease.isSafe(); attempt++) {
            RoleWord stamped = word.stamped(lease.term());
            switch (state.compareAndSetRole(node, word, stamped)) {
                case CasOutcome.Won _ -> {
                    return Optional.of(stamped);
                }
                case CasOutcome.Lost(RoleWord actual) -> word = actual;
                case CasOutcome.Unreachable _, CasOutcome.Unresolved _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
