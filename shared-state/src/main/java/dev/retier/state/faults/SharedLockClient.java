package dev.retier.state.faults;

import dev.retier.state.sync.SharedLockHome.Mode;
import dev.retier.state.sync.SharedLockHome.Standing;

/** A thread of a node that wants the lock of a {@link SharedLockSimulation}, with a clock. Not thread-safe. */
final class SharedLockClient {
    private static final long LEASE = LockWorld.LEASE_NANOS;
    private static final long FASTEST_NANOS = 10_000;
    private static final int LATE_ONE_IN = 15;
    private static final int LOST_ONE_IN = 15;

    private final SharedLockSimulation world;
    private final Mode mode;
    private final double rate;
    private long party;
    private boolean isHeld;
    private long provenNanos;
    private long acquired;
    private long noneGoUntil;
    private long noneComeUntil;

    SharedLockClient(SharedLockSimulation world, Mode mode, double rate) {
        this.world = world;
        this.mode = mode;
        this.rate = rate;
    }

    void start() {
        world.after(world.random.nextLong(LEASE), this::want);
    }

    boolean isWriter() {
        return mode == Mode.WRITE;
    }

    boolean isActing() {
        return isHeld && clock() - provenNanos < LockWorld.RULE.actNanos();
    }

    long acquired() {
        return acquired;
    }

    /** It is gone without a word; another one comes some time later. */
    void die() {
        party = 0;
        isHeld = false;
        world.after(world.random.nextLong(2 * LEASE), this::want);
    }

    /** For a while nothing gets to the home, or nothing comes back from it. */
    void cut(boolean there, long nanos) {
        if (there) {
            noneGoUntil = world.time.nowNanos() + nanos;
        } else {
            noneComeUntil = world.time.nowNanos() + nanos;
        }
    }

    private long clock() {
        return (long) (world.time.nowNanos() * rate);
    }

    private void want() {
        if (party == 0) {
            party = world.newParty();
            isHeld = false;
            ask(party);
        }
    }

    private void ask(long mine) {
        if (mine != party) {
            return;
        }
        long begun = clock();
        boolean renews = isHeld;
        send(noneGoUntil, () -> {
            long now = world.time.nowNanos();
            Standing standing =
                    renews ? world.home().renew(mine, now) : world.home().ask(mine, mode, now);
            send(noneComeUntil, () -> answered(mine, standing, begun));
        });
        world.after((long) (LockWorld.RULE.renewNanos() / rate), () -> ask(mine));
    }

    /** As a caller does that waits a third of a lease for an answer: a later one is none. */
    private void answered(long mine, Standing standing, long begun) {
        boolean isTooLate = clock() - begun >= LockWorld.RULE.renewNanos();
        if (mine != party || isTooLate) {
            return;
        }
        if (standing instanceof Standing.Held(long token)) {
            if (!isHeld) {
                isHeld = true;
                acquired++;
                world.granted(mode, token);
                world.after(world.random.nextLong(LEASE), () -> free(mine));
            }
            provenNanos = Math.max(provenNanos, begun);
        } else if (isHeld) {
            free(mine);
        }
    }

    private void free(long mine) {
        if (mine == party) {
            send(noneGoUntil, () -> world.home().leave(mine));
            party = 0;
            isHeld = false;
            world.after(world.random.nextLong(LEASE / 4), this::want);
        }
    }

    /** Something travels to or from the home, is late, or lost; never to another life of the home. */
    private void send(long noneUntil, Runnable what) {
        int life = world.homeLife();
        boolean isLate = !world.isCalm && world.random.nextInt(LATE_ONE_IN) == 0;
        boolean isLost = !world.isCalm && world.random.nextInt(LOST_ONE_IN) == 0;
        long travel = isLate ? world.random.nextLong(2 * LEASE) : FASTEST_NANOS + world.random.nextLong(LEASE / 50);
        if (!isLost && world.time.nowNanos() >= noneUntil) {
            world.after(travel, () -> {
                if (life == world.homeLife()) {
                    what.run();
                }
            });
        }
    }
}
