package dev.retier.sim.locks;

import dev.retier.fabric.locks.protocol.ReadWriteLockClient;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Mode;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;

/** A thread of a node that wants the lock of a {@link SharedLockSimulation}, with a clock. Not thread-safe. */
final class SharedLockClient {
    private static final long LEASE = LockWorld.LEASE_NANOS;
    private static final long FASTEST_NANOS = 10_000;
    private static final int LATE_ONE_IN = 15;
    private static final int LOST_ONE_IN = 15;
    private static final int HELD_LONG_ONE_IN = 3;
    /** Long enough that a holder is cut off, and its lease over, in the middle of many holds. */
    private static final int LONG_HOLD_LEASES = 3;

    private final SharedLockSimulation world;
    private final Mode mode;
    private final double rate;
    private long party;
    private ReadWriteLockClient lock = ended();
    private long acquired;
    private long noneGoUntil;
    private long noneComeUntil;

    SharedLockClient(SharedLockSimulation world, Mode mode, double rate) {
        this.world = world;
        this.mode = mode;
        this.rate = rate;
    }

    private static ReadWriteLockClient ended() {
        ReadWriteLockClient lock = new ReadWriteLockClient(LockWorld.RULE);
        lock.end();
        return lock;
    }

    void start() {
        world.after(world.random.nextLong(LEASE), this::want);
    }

    boolean isWriter() {
        return mode == Mode.WRITE;
    }

    boolean isActing() {
        return lock.isSafe(clock());
    }

    long acquired() {
        return acquired;
    }

    /** It is gone without a word; another one comes some time later. */
    void die() {
        lock = ended();
        party = 0;
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
            lock = new ReadWriteLockClient(LockWorld.RULE);
            ask(party);
        }
    }

    private void ask(long mine) {
        if (mine != party) {
            return;
        }
        long begun = clock();
        boolean renews = lock.isHeld();
        send(noneGoUntil, () -> {
            long now = world.time.nowNanos();
            Standing standing =
                    renews ? world.home().renew(mine, now) : world.home().ask(mine, mode, now);
            send(noneComeUntil, () -> answered(mine, standing, begun));
        });
        world.after((long) (LockWorld.RULE.renewNanos() / rate), () -> ask(mine));
    }

    private void answered(long mine, Standing standing, long begun) {
        if (mine != party) {
            return;
        }
        boolean wasHeld = lock.isHeld();
        lock.answered(standing, begun, clock());
        if (lock.isHeld() && !wasHeld) {
            acquired++;
            world.granted(mode, lock.token());
            int leases = world.random.nextInt(HELD_LONG_ONE_IN) == 0 ? LONG_HOLD_LEASES : 1;
            world.after(world.random.nextLong(leases * LEASE), () -> free(mine));
        } else if (wasHeld && !lock.isHeld()) {
            free(mine);
        }
    }

    private void free(long mine) {
        if (mine == party) {
            lock.end();
            send(noneGoUntil, () -> world.home().leave(mine));
            party = 0;
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
