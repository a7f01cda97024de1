package dev.retier.sim.locks;

import dev.retier.link.LeaseTimes;
import dev.retier.sim.time.VirtualTime;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What the worlds of a fabric's locks have in common: a storm in which everything fails and only safety counts, then a
 * calm in which somebody must get on. Not thread-safe.
 */
abstract class LockWorld {
    static final long LEASE_NANOS = 300_000_000L;
    static final LeaseTimes RULE = new LeaseTimes(LEASE_NANOS);
    private static final long STORM_NANOS = 12 * LEASE_NANOS;

    /**
     * Each ticket that is nobody's, as who drew it has died or never heard of it, costs the others a lease; a storm
     * leaves a dozen or two, and forty in one world of a hundred thousand.
     */
    private static final int MOST_LEASES_TO_PROGRESS = 60;

    /** Clocks run 10 % slow to 10 % fast. */
    private static final double DRIFT = 0.1;

    final SplittableRandom random;
    final VirtualTime time = new VirtualTime();
    boolean isCalm;
    private final long seed;
    private Optional<String> violation = Optional.empty();
    private long acquisitions;
    private long crashes;

    LockWorld(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        after(random.nextLong(LEASE_NANOS), this::mischief);
    }

    /** Something goes wrong. */
    abstract void fault();

    /** Calls {@link #violated} if what must never be is now. */
    abstract void check();

    /** One that has not got the lock since the storm. */
    abstract Optional<String> whoWaits();

    FaultSimulation.Report live() {
        time.run(STORM_NANOS);
        isCalm = true;
        calm();
        Optional<String> waiting = whoWaits();
        for (int leases = 1; leases <= MOST_LEASES_TO_PROGRESS && waiting.isPresent(); leases++) {
            time.run(STORM_NANOS + leases * LEASE_NANOS);
            waiting = whoWaits();
        }
        waiting.ifPresent(who -> violated(who + " did not get the lock though all was calm"));
        return new FaultSimulation.Report(seed, violation, acquisitions, 0, 0, crashes, time.events());
    }

    /** The storm is over. */
    abstract void calm();

    void after(long delayNanos, Runnable action) {
        time.after(delayNanos, () -> {
            action.run();
            check();
        });
    }

    double clockRate() {
        return 1 - DRIFT + 2 * DRIFT * random.nextDouble();
    }

    void acquired() {
        acquisitions++;
    }

    void crashed() {
        crashes++;
    }

    void violated(String what) {
        if (violation.isEmpty()) {
            violation = Optional.of(what + " at " + time.nowNanos() + " ns");
        }
    }

    private void mischief() {
        if (!isCalm) {
            fault();
            time.after(random.nextLong(LEASE_NANOS), this::mischief);
        }
    }
}
