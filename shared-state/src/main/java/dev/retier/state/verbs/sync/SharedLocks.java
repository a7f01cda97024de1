package dev.retier.state.verbs.sync;

import dev.retier.state.rpc.CallOutcome;
import dev.retier.state.sync.LeaseRule;
import dev.retier.state.sync.SharedLockHome;
import dev.retier.state.sync.SharedLockHome.Mode;
import dev.retier.state.sync.SharedLockHome.Standing;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.Request;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** Read/write locks: those whose home is this node, and this node's holds of all. Thread-safe. */
final class SharedLocks {
    private static final int MAX_WAITING = 1024;
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int HELD = 1;
    private static final int ABSENT = 2;
    private static final int TOO_MANY = 3;

    private final Asking asking;
    private final LeaseRule rule;
    private final ScheduledExecutorService timer;
    private final long bootMillis;
    private final long bootNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Map<Integer, SharedLockHome<Party>> homes = new HashMap<>();

    SharedLocks(Fabric fabric, Asking asking, LeaseRule rule, ScheduledExecutorService timer, long bootMillis) {
        this.asking = asking;
        this.rule = rule;
        this.timer = timer;
        this.bootMillis = bootMillis;
        fabric.registerPrompt(Functions.SHARED_LOCK, this::answer);
    }

    Optional<Held> acquire(LockPlace place, Mode mode, Duration deadline) throws InterruptedException {
        Question question = new Question(Question.What.ASK, place.number(), asking.newId(), code(mode));
        boolean acquired = false;
        try {
            Optional<Held> held = asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    Functions.SHARED_LOCK,
                    question,
                    (answer, askedNanos) -> answer.code() == HELD
                            ? Optional.of(new Lease(place, question, answer.value(), askedNanos))
                            : Optional.empty());
            acquired = held.isPresent();
            return held;
        } finally {
            if (!acquired) {
                leave(place, question);
            }
        }
    }

    private void leave(LockPlace place, Question asked) {
        asking.begin(
                place.home(),
                Functions.SHARED_LOCK,
                new Question(Question.What.LEAVE, asked.number(), asked.id(), asked.argument()));
    }

    private final class Lease implements Held {
        private final LockPlace place;
        private final Question question;
        private final long token;
        private final ScheduledFuture<?> renewal;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile long renewedNanos;

        Lease(LockPlace place, Question asked, long token, long askedNanos) {
            this.place = place;
            this.question = asked;
            this.token = token;
            this.renewedNanos = askedNanos;
            long pause = rule.renewNanos();
            this.renewal = timer.scheduleWithFixedDelay(this::renew, pause, pause, TimeUnit.NANOSECONDS);
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean isSafe() {
            return !over.get() && System.nanoTime() - renewedNanos < rule.actNanos();
        }

        @Override
        public void close() {
            if (!over.getAndSet(true)) {
                renewal.cancel(false);
                leave(place, question);
            }
        }

        private void renew() {
            long begunNanos = System.nanoTime();
            Question renewing = new Question(Question.What.RENEW, place.number(), question.id(), question.argument());
            asking.begin(place.home(), Functions.SHARED_LOCK, renewing)
                    .whenOver(outcome -> renewed(outcome, begunNanos));
        }

        private void renewed(CallOutcome outcome, long begunNanos) {
            Asking.answer(outcome).ifPresent(answer -> {
                if (answer.code() == HELD && answer.value() == token) {
                    renewedNanos = begunNanos - renewedNanos > 0 ? begunNanos : renewedNanos;
                } else {
                    over.set(true);
                    renewal.cancel(false);
                }
            });
        }
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

    private byte[] answer(Request request) {
        Question question = Question.decode(request.body());
        Party party = new Party(request.caller().node(), question.id());
        Mode mode = mode(question.argument());
        long now = System.nanoTime();
        Standing standing;
        List<Party> granted;
        lock.lock();
        try {
            SharedLockHome<Party> home = homes.computeIfAbsent(
                    question.number(), _ -> new SharedLockHome<>(rule, MAX_WAITING, bootMillis, bootNanos));
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
            case Standing.Held(long token) -> new Question.Answer(HELD, token).encode();
            case Standing.Absent _ -> new Question.Answer(ABSENT, 0).encode();
            case Standing.TooMany _ -> new Question.Answer(TOO_MANY, 0).encode();
        };
    }
}
