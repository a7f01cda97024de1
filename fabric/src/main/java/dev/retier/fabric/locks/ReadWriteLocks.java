package dev.retier.fabric.locks;

import dev.retier.fabric.Call;
import dev.retier.fabric.locks.protocol.ReadWriteLockClient;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Mode;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** Read/write locks: those whose home is this node, and this node's holds of all. Thread-safe. */
final class ReadWriteLocks {
    private static final int FUNCTION = 0xFE01;
    private static final int MAX_WAITING = 1024;
    private static final List<Mode> MODES = List.of(Mode.READ, Mode.WRITE);

    private static final int HELD = 1;
    private static final int ABSENT = 2;

    private final HomeCalls asking;
    private final LeaseTimes lease;
    private final long bootMillis;
    private final BooleanSupplier closed;
    private final long bootNanos = System.nanoTime();
    /** Guarded by this. */
    private final Map<Integer, ReadWriteLockHome<Waiter>> homes = new HashMap<>();

    /**
     * No lock is held.
     *
     * @param bootMillis when this node booted
     * @param closed whether it takes part no more
     */
    ReadWriteLocks(HomeCalls asking, LeaseTimes lease, long bootMillis, BooleanSupplier closed) {
        this.asking = asking;
        this.lease = lease;
        this.bootMillis = bootMillis;
        this.closed = closed;
        asking.serve(FUNCTION, this::answer);
    }

    Optional<HeldLock> acquire(LockPlace place, Mode mode, Duration deadline) throws InterruptedException {
        Hold hold = new Hold(place.home(), asking.newRequest(place, MODES.indexOf(mode) + 1));
        try {
            return asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    FUNCTION,
                    hold.request,
                    (answer, askedNanos, _) -> answer.filter(given -> hold.answered(given, askedNanos))
                            .map(_ -> hold));
        } finally {
            if (hold.isHeld()) {
                hold.renewLater();
            } else {
                hold.close();
            }
        }
    }

    /** Drives one {@link ReadWriteLockClient}: its wait in the thread that waits, its renewals by the timers. */
    private final class Hold implements HeldLock {
        private final NodeId home;
        private final HomeRequest request;
        /** Guarded by this. */
        private final ReadWriteLockClient client = new ReadWriteLockClient(lease);

        Hold(NodeId home, HomeRequest request) {
            this.home = home;
            this.request = request;
        }

        /** Returns whether the lock is held now. */
        synchronized boolean answered(HomeRequest.Answer answer, long askedNanos) {
            Standing standing = answer.code() == HELD ? new Standing.Held(answer.value()) : new Standing.Absent();
            client.answered(standing, askedNanos, System.nanoTime());
            return client.isHeld();
        }

        synchronized boolean isHeld() {
            return client.isHeld();
        }

        @Override
        public synchronized long token() {
            return client.token();
        }

        @Override
        public synchronized boolean isSafe() {
            return client.isSafe(System.nanoTime());
        }

        @Override
        public synchronized void close() {
            if (client.end()) {
                send(HomeRequest.What.LEAVE);
            }
        }

        void renewLater() {
            Future<?> _ = asking.fabric.timers().after(lease.renewNanos(), this::renew);
        }

        private void renew() {
            if (isHeld() && !closed.getAsBoolean()) {
                long begunNanos = System.nanoTime();
                send(HomeRequest.What.RENEW)
                        .whenOver(
                                outcome -> HomeCalls.answer(outcome).ifPresent(answer -> answered(answer, begunNanos)));
                renewLater();
            }
        }

        private Call send(HomeRequest.What what) {
            return asking.begin(home, FUNCTION, request.as(what));
        }
    }

    private synchronized HomeRequest.Answer answer(HomeRequest request, Waiter party) {
        Mode mode = HomeRequest.decode(MODES, request.argument());
        long now = System.nanoTime();
        ReadWriteLockHome<Waiter> home = homes.computeIfAbsent(
                request.number(), _ -> new ReadWriteLockHome<>(lease, MAX_WAITING, bootMillis, bootNanos));
        Standing standing = switch (request.what()) {
            case ASK -> home.ask(party, mode, now);
            case RENEW -> home.renew(party, now);
            case LEAVE -> {
                home.leave(party);
                yield new Standing.Absent();
            }
        };
        asking.nudge(
                home.settle(now).stream().filter(other -> !other.equals(party)).toList());
        return standing instanceof Standing.Held(long token)
                ? new HomeRequest.Answer(HELD, token)
                : new HomeRequest.Answer(ABSENT, 0);
    }
}
