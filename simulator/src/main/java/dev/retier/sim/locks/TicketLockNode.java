package dev.retier.sim.locks;

import dev.retier.fabric.locks.protocol.LockOperation;
import dev.retier.fabric.locks.protocol.TicketGrant;
import dev.retier.fabric.locks.protocol.TicketLock;
import java.util.Optional;
import java.util.OptionalLong;

/** A node of a {@link TicketLockSimulation}, with a clock of its own. Not thread-safe. */
final class TicketLockNode {
    private static final int THREADS = 2;
    private static final long FASTEST_NANOS = 5_000;
    private static final long USUAL_NANOS = 50_000;
    private static final long LEASE = LockWorld.LEASE_NANOS;
    private static final int LATE_ONE_IN = 40;
    private static final int GIVEN_UP_ONE_IN = 8;
    private static final int HELD_LONG_ONE_IN = 4;
    /** Long enough that a holder is cut off, and its lease over, in the middle of many holds. */
    private static final int LONG_HOLD_LEASES = 3;

    private final TicketLockSimulation world;
    private final int number;
    private final double rate;
    private TicketLock lock = new TicketLock(LockWorld.RULE);
    private int life;
    private long requests;
    private long pausedUntil;
    private long noneGoUntil;
    private long noneComeUntil;
    private long acquired;
    private Optional<TicketGrant> held = Optional.empty();

    TicketLockNode(TicketLockSimulation world, int number) {
        this.world = world;
        this.number = number;
        this.rate = world.clockRate();
    }

    /** Its threads begin to want the lock. */
    void start() {
        for (int i = 0; i < THREADS; i++) {
            later(world.random.nextLong(LEASE), this::want);
        }
    }

    /** All that it knew is gone; it comes back some time later. */
    void crash() {
        life++;
        lock = new TicketLock(LockWorld.RULE);
        held = Optional.empty();
        later(world.random.nextLong(2 * LEASE), this::start);
    }

    void pause(long nanos) {
        pausedUntil = now() + nanos;
    }

    /** For a while nothing gets to the home, or nothing comes back from it. */
    void cut(boolean there, long nanos) {
        if (there) {
            noneGoUntil = now() + nanos;
        } else {
            noneComeUntil = now() + nanos;
        }
    }

    boolean isActing() {
        return held.isPresent() && lock.isSafe(held.get(), clock());
    }

    long acquired() {
        return acquired;
    }

    private long now() {
        return world.time.nowNanos();
    }

    private long clock() {
        return (long) (now() * rate);
    }

    private void later(long delay, Runnable action) {
        int mine = life;
        world.after(delay, () -> whenAwake(mine, action));
    }

    private void whenAwake(int mine, Runnable action) {
        if (mine != life) {
            return;
        }
        if (now() < pausedUntil) {
            world.after(pausedUntil - now(), () -> whenAwake(mine, action));
            return;
        }
        action.run();
    }

    private void want() {
        long request = ++requests;
        lock.request(request);
        if (world.random.nextInt(GIVEN_UP_ONE_IN) == 0) {
            later(world.random.nextLong(LEASE / 10), () -> giveUp(request));
        }
        drive();
    }

    private void giveUp(long request) {
        if (lock.cancel(request)) {
            later(world.random.nextLong(LEASE / 10), this::want);
        }
    }

    /** As {@code TicketDriver} does: what {@code next} has granted is told before anything else can happen. */
    private void drive() {
        Optional<LockOperation> operation = lock.next(clock());
        for (TicketGrant grant : lock.takeGrants()) {
            world.granted(number, grant);
            acquired++;
            held = Optional.of(grant);
            boolean isLong = world.random.nextInt(HELD_LONG_ONE_IN) == 0;
            long longest = isLong ? LONG_HOLD_LEASES * LEASE : LEASE / 50;
            later(world.random.nextLong(longest), () -> free(grant));
        }
        operation.ifPresent(this::begin);
        lock.wakeNanos().ifPresent(this::wakeAt);
    }

    private void wakeAt(long wake) {
        long wait = Math.max(1, (long) ((wake - clock()) / rate) + 1);
        later(wait, () -> {
            if (lock.wakeNanos().equals(OptionalLong.of(wake))) {
                drive();
            }
        });
    }

    private void free(TicketGrant grant) {
        lock.release(grant, clock());
        if (held.equals(Optional.of(grant))) {
            held = Optional.empty();
        }
        later(world.random.nextLong(LEASE / 20), this::want);
        drive();
    }

    /** An operation goes out. It may be late, and given up before it lands; or lost, or its answer. */
    private void begin(LockOperation operation) {
        long begun = clock();
        int home = world.homeLife();
        TicketLock mine = lock;
        long usual = FASTEST_NANOS + world.random.nextLong(USUAL_NANOS);
        boolean isLate = !world.isCalm && world.random.nextInt(LATE_ONE_IN) == 0;
        boolean isLost = now() < noneGoUntil;
        boolean isUnheard = now() < noneComeUntil || (isLate && world.random.nextBoolean());
        if (!isLost) {
            world.after(isLate ? world.random.nextLong(2 * LEASE) : usual, () -> {
                Optional<TicketLock.Found> found = home == world.homeLife()
                        ? Optional.of(new TicketLock.Found(world.carryOut(operation), home))
                        : Optional.empty();
                if (!isUnheard) {
                    later(usual, () -> answered(mine, operation, found, begun));
                }
            });
        }
        if (isLost || isUnheard) {
            later(world.random.nextLong(LEASE / 4), () -> answered(mine, operation, Optional.empty(), begun));
        }
    }

    private void answered(TicketLock of, LockOperation operation, Optional<TicketLock.Found> found, long begun) {
        if (!of.equals(lock)) {
            return;
        }
        if (found.isPresent()) {
            lock.done(operation, found.get(), begun, clock());
        } else {
            lock.unknown(clock());
        }
        drive();
    }
}
