package dev.retier.fabric.locks;

import dev.retier.fabric.Call;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.IncomingCall;
import dev.retier.fabric.Timers;
import dev.retier.fabric.locks.protocol.ReadWriteLockClient;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Mode;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Read/write locks: those whose home is this node, and this node's holds of all. Thread-safe. */
final class ReadWriteLocks {
    private static final int MAX_WAITING = 1024;
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int HELD = 1;
    private static final int ABSENT = 2;
    private static final int TOO_MANY = 3;

    private final HomeCalls asking;
    private final LeaseTimes lease;
    private final Times times;
    private final long bootNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Map<Integer, ReadWriteLockHome<Waiter>> homes = new HashMap<>();

    /** Where renewals are due, when this node booted, and whether it takes part no more. */
    record Times(Timers timers, long bootMillis, BooleanSupplier closed) {}

    ReadWriteLocks(Fabric fabric, HomeCalls asking, LeaseTimes lease, Times times) {
        this.asking = asking;
        this.lease = lease;
        this.times = times;
        fabric.registerInline(LockFunctions.SHARED_LOCK, this::answer);
    }

    Optional<HeldLock> acquire(LockPlace place, Mode mode, Duration deadline) throws InterruptedException {
        HomeRequest asked = new HomeRequest(HomeRequest.What.ASK, place.number(), asking.newId(), code(mode));
        Hold hold = new Hold(place, asked);
        try {
            return asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    LockFunctions.SHARED_LOCK,
                    asked,
                    (answer, askedNanos) -> hold.answered(answer, askedNanos) ? Optional.of(hold) : Optional.empty());
        } finally {
            if (!hold.begin()) {
                hold.close();
            }
        }
    }

    /** Drives one {@link ReadWriteLockClient}: its wait in the thread that waits, its renewals by the timers. */
    private final class Hold implements HeldLock {
        private final LockPlace place;
        private final HomeRequest asked;
        private final ReentrantLock guard = new ReentrantLock();
        /** Guarded by guard. */
        private final ReadWriteLockClient client = new ReadWriteLockClient(lease);

        Hold(LockPlace place, HomeRequest asked) {
            this.place = place;
            this.asked = asked;
        }

        /** Returns whether the lock is held now. */
        boolean answered(HomeRequest.Answer answer, long askedNanos) {
            return guarded(() -> {
                client.answered(standing(answer), askedNanos, System.nanoTime());
                return client.isHeld();
            });
        }

        /** Begins to renew, if there is something to. */
        boolean begin() {
            boolean isHeld = guarded(client::isHeld);
            if (isHeld) {
                renewLater();
            }
            return isHeld;
        }

        @Override
        public long token() {
            return guarded(client::token);
        }

        @Override
        public boolean isSafe() {
            return guarded(() -> client.isSafe(System.nanoTime()));
        }

        @Override
        public void close() {
            if (guarded(client::end)) {
                send(HomeRequest.What.LEAVE);
            }
        }

        private void renewLater() {
            Future<?> _ = times.timers().after(lease.renewNanos(), this::renew);
        }

        private void renew() {
            if (guarded(client::isHeld) && !times.closed().getAsBoolean()) {
                long begunNanos = System.nanoTime();
                send(HomeRequest.What.RENEW)
                        .whenOver(
                                outcome -> HomeCalls.answer(outcome).ifPresent(answer -> answered(answer, begunNanos)));
                renewLater();
            }
        }

        private Call send(HomeRequest.What what) {
            HomeRequest request = new HomeRequest(what, asked.number(), asked.id(), asked.argument());
            return asking.begin(place.home(), LockFunctions.SHARED_LOCK, request);
        }

        private <T> T guarded(Supplier<T> action) {
            guard.lock();
            try {
                return action.get();
            } finally {
                guard.unlock();
            }
        }
    }

    private static Standing standing(HomeRequest.Answer answer) {
        return switch (answer.code()) {
            case HELD -> new Standing.Held(answer.value());
            case TOO_MANY -> new Standing.TooMany();
            default -> new Standing.Absent();
        };
    }

    private static int code(Mode mode) {
        return switch (mode) {
            case READ -> READ;
            case WRITE -> WRITE;
        };
    }

    private static Mode mode(int code) {
        return switch (code) {
            case READ -> Mode.READ;
            case WRITE -> Mode.WRITE;
            default -> throw new IllegalArgumentException("mode " + code + " is not known");
        };
    }

    private byte[] answer(IncomingCall request) {
        HomeRequest question = HomeRequest.decode(request.body());
        Waiter party = new Waiter(request.caller().node(), question.id());
        Mode mode = mode(question.argument());
        long now = System.nanoTime();
        Standing standing;
        List<Waiter> granted;
        lock.lock();
        try {
            ReadWriteLockHome<Waiter> home = homes.computeIfAbsent(
                    question.number(), _ -> new ReadWriteLockHome<>(lease, MAX_WAITING, times.bootMillis(), bootNanos));
            standing = switch (question.what()) {
                case ASK -> home.ask(party, mode, now);
                case RENEW -> home.renew(party, now);
                case LEAVE -> {
                    home.leave(party);
                    yield new Standing.Absent();
                }
            };
            granted = home.settle(now);
        } finally {
            lock.unlock();
        }
        granted.stream().filter(other -> !other.equals(party)).forEach(asking::nudge);
        return switch (standing) {
            case Standing.Held(long token) -> new HomeRequest.Answer(HELD, token).encode();
            case Standing.Absent _ -> new HomeRequest.Answer(ABSENT, 0).encode();
            case Standing.TooMany _ -> new HomeRequest.Answer(TOO_MANY, 0).encode();
        };
    }
}
