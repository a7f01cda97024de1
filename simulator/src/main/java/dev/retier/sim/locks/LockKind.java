package dev.retier.sim.locks;

/** A lock that can be searched for faults, one simulated world per seed. */
public enum LockKind {
    /** The move lock of a site, on 1, 3 or 5 witnesses. */
    MOVE,
    /** The exclusive lock of a fabric: tickets, a lease, a fencing token. */
    TICKET,
    /** The read/write lock of a fabric. */
    READ_WRITE;

    /** Runs the world of {@code seed}; the same seed is always the same world. */
    public FaultSimulation.Report run(long seed) {
        return switch (this) {
            case MOVE -> FaultSimulation.run(seed);
            case TICKET -> TicketLockSimulation.run(seed);
            case READ_WRITE -> SharedLockSimulation.run(seed);
        };
    }
}
