package dev.retier.volume.serve;

import dev.retier.volume.config.Times;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.session.Attachments;
import dev.retier.volume.session.Attachments.Admission;
import dev.retier.volume.session.Attachments.Kept;
import dev.retier.volume.session.Attachments.Outcome;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** {@link Attachments} of a pool: with its epochs, by the clock, for many threads. */
final class Uses {
    private static final String ABOUT = "somebody else is about to have it; try again";

    private final Pool pool;
    private final LongSupplier clock;
    private final long quiesceNanos;
    private final Tally tally;
    private final Opener opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    /** Guarded by the lock. */
    private final Attachments attachments;
    /** Guarded by the lock. */
    private final ClientsSeen seen = new ClientsSeen();

    /** Somebody who writes, for people; when since. */
    record Known(String name, Instant since) {}

    /** By a clock in nanoseconds. */
    Uses(Pool pool, Times times, Tally tally, Opener opener, LongSupplier clock) {
        this.pool = pool;
        this.tally = tally;
        this.opener = opener;
        this.clock = clock;
        this.quiesceNanos = times.quiesce().toNanos();
        this.attachments = new Attachments(times.lease().toNanos(), clock.getAsLong());
    }

    private Catalogue.Entry entry(int volume) {
        return Named.entry(pool.catalogue(), volume);
    }

    private Kept kept(int volume) {
        Catalogue.Entry entry = entry(volume);
        return new Kept(entry.epoch(), entry.writer());
    }

    /** What waits here of a writer's requests is a word of it. */
    private void see(int volume, long nowNanos) {
        ServedClient writer = seen.writer(volume);
        if (writer != null && writer.isAwaited()) {
            attachments.isWaitedFor(volume, nowNanos);
        }
    }

    /**
     * Gives a volume to a client to write to; returns once that is on the disk, and nothing that was used to write to
     * it before runs any more. If that is not so in time, who had it has it still.
     *
     * @param by over which connection; null to take it from who has it alone
     */
    Opened attach(int volume, Wish wish, @Nullable ServedClient by) throws IOException, InterruptedException {
        pool.requireChangeable();
        int epoch = take(volume, wish, by);
        boolean isGiven = false;
        try {
            awaitQuiet(volume);
            pool.attach(volume, epoch, wish.client());
            pool.flush();
            isGiven = true;
        } finally {
            if (!isGiven) {
                leave(volume);
            }
        }
        lock.lock();
        try {
            long use = attachments.give(volume, clock.getAsLong());
            seen.writesNoMore(volume);
            if (by != null) {
                seen.writes(volume, by);
            }
            ended.signalAll();
            return opener.open(use, epoch, volume, by);
        } finally {
            lock.unlock();
        }
    }

    private int take(int volume, Wish wish, @Nullable ServedClient by) throws InterruptedException {
        lock.lock();
        try {
            return switch (settled(by, nowNanos -> {
                see(volume, nowNanos);
                return attachments.take(volume, kept(volume), wish, nowNanos);
            })) {
                case Outcome.Taken(int epoch) -> epoch;
                case Outcome.Held(long client) ->
                    throw new Refusal(
                            Status.HELD,
                            seen.name(volume, client) + " has it attached: detach it there, or take it by force");
                case Outcome.UsedUp() -> throw new Refusal(Status.FENCED, "it has had the last epoch that there is");
                case Outcome.Busy _, Outcome.Resumed _, Outcome.Lost _ ->
                    throw new IllegalStateException("of another question");
            };
        } finally {
            lock.unlock();
        }
    }

    /**
     * With the lock held: what {@code ask} says once nobody is about to have the volume.
     *
     * @param by for whom; once its connection is over its client asks by another one, which this must not outlive
     */
    private Outcome settled(@Nullable ServedClient by, LongFunction<Outcome> ask) throws InterruptedException {
        long left = quiesceNanos;
        while (true) {
            if (by != null && !seen.isCurrent(by)) {
                throw new Refusal(Status.BUSY, "its connection is over");
            }
            Outcome outcome = ask.apply(clock.getAsLong());
            if (!(outcome instanceof Outcome.Busy)) {
                return outcome;
            }
            left = pause(left, ABOUT);
        }
    }

    /** With the lock held: waits for something to end; what is left of the time. */
    @SuppressWarnings("WaitNotInLoop") // those who call it loop
    private long pause(long leftNanos, String why) throws InterruptedException {
        if (leftNanos <= 0) {
            throw new Refusal(Status.BUSY, why);
        }
        return ended.awaitNanos(leftNanos);
    }

    private void leave(int volume) {
        lock.lock();
        try {
            attachments.leave(volume);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets a client go on that has the volume, by a new connection, when nothing of the old one runs any more. */
    Opened resume(int volume, int epoch, ServedClient by) throws InterruptedException {
        long use;
        lock.lock();
        try {
            Outcome outcome =
                    settled(by, nowNanos -> attachments.resume(volume, kept(volume), by.life(), epoch, nowNanos));
            if (!(outcome instanceof Outcome.Resumed(long resumed))) {
                throw new Refusal(Status.FENCED, "somebody else has attached the volume since");
            }
            use = resumed;
            seen.writes(volume, by);
        } finally {
            lock.unlock();
        }
        awaitQuiet(volume);
        return opener.open(use, epoch, volume, by);
    }

    /** Lets a client read a volume, whoever writes to it. */
    Opened read(int volume, ServedClient by) throws InterruptedException {
        lock.lock();
        try {
            Outcome outcome = settled(by, _ -> {
                var _ = entry(volume);
                return attachments.read(volume, by.life());
            });
            if (outcome instanceof Outcome.Resumed(long use)) {
                return opener.open(use, 0, volume, by);
            }
            throw new IllegalStateException("of another question");
        } finally {
            lock.unlock();
        }
    }

    private void awaitQuiet(int volume) throws InterruptedException {
        long sinceNanos = clock.getAsLong();
        lock.lock();
        try {
            long left = quiesceNanos;
            while (!attachments.isQuiet(volume)) {
                left = pause(left, "requests of who had it before are still under way; try again");
            }
        } finally {
            lock.unlock();
            tally.quiesced(clock.getAsLong() - sinceNanos);
        }
    }

    /** A request of this use is about to run, until it ends, if it may. */
    Admission begin(long use) {
        lock.lock();
        try {
            return attachments.begin(use, clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    void end(long use) {
        lock.lock();
        try {
            attachments.end(use, clock.getAsLong());
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A client is there. */
    void connected(ServedClient client) {
        lock.lock();
        try {
            seen.connected(client);
        } finally {
            lock.unlock();
        }
    }

    /** A connection is over, over which these were used. */
    void lost(ServedClient client, Set<Long> uses) {
        lock.lock();
        try {
            attachments.lost(uses);
            seen.lost(client);
        } finally {
            lock.unlock();
        }
    }

    /** Its client has opened the volume anew over the same connection. */
    void left(long use) {
        lock.lock();
        try {
            attachments.lost(Set.of(use));
        } finally {
            lock.unlock();
        }
    }

    /** Its client needs the volume no more. */
    void detach(int volume, long use, int epoch) throws IOException {
        boolean had;
        lock.lock();
        try {
            had = attachments.detach(use);
            if (had) {
                seen.writesNoMore(volume);
            }
        } finally {
            lock.unlock();
        }
        if (had) {
            pool.attach(volume, epoch, 0);
        }
    }

    /** Of each volume that a client writes to, what that is called. */
    Map<Integer, String> writers() {
        Map<Integer, Catalogue.Entry> all = pool.catalogue().entries();
        Map<Integer, String> found = new HashMap<>();
        long nowNanos = clock.getAsLong();
        lock.lock();
        try {
            all.forEach((volume, entry) -> {
                long client = attachments.writer(volume, new Kept(entry.epoch(), entry.writer()), nowNanos);
                if (client != 0) {
                    found.put(volume, seen.name(volume, client));
                }
            });
        } finally {
            lock.unlock();
        }
        return found;
    }

    /** What is done with a volume that nobody has. */
    interface Act {
        void run() throws IOException;
    }

    /** Does it, so that nobody attaches the volume meanwhile; refuses while somebody has it. */
    void whileFree(int volume, Act act) throws IOException {
        lock.lock();
        try {
            long nowNanos = clock.getAsLong();
            see(volume, nowNanos);
            if (!attachments.reserve(volume, kept(volume), nowNanos)) {
                throw new Refusal(
                        Status.HELD,
                        holder(volume, nowNanos) + " has " + entry(volume).name() + " attached: detach it first");
            }
        } finally {
            lock.unlock();
        }
        try {
            act.run();
        } finally {
            leave(volume);
        }
    }

    /**
     * Gives a volume that nobody has something else to hold; who had it before is fenced.
     *
     * @param epoch that it had when this was asked for: what comes late, or again, takes nothing from who had it since
     */
    void replace(int volume, int epoch, Act act) throws IOException {
        whileFree(volume, () -> {
            if (kept(volume).epoch() != epoch) {
                throw new Refusal(
                        Status.INVALID,
                        "it has been attached since it was looked at, or this has been done already: look at it again");
            }
            fence(volume);
            act.run();
        });
    }

    /** Of a volume that nobody has, and that is about to be another than it was: who had it last does not go on. */
    void fence(int volume) throws IOException {
        pool.attach(volume, kept(volume).epoch() + 1, 0);
        deleted(volume);
    }

    private String holder(int volume, long nowNanos) {
        long writer = attachments.writer(volume, kept(volume), nowNanos);
        if (writer != 0) {
            return seen.name(volume, writer);
        }
        return attachments.readers(volume).stream().findFirst().map(seen::name).orElse("somebody");
    }

    /** The volume is gone, or what it was. */
    void deleted(int volume) {
        lock.lock();
        try {
            attachments.deleted(volume);
            seen.writesNoMore(volume);
        } finally {
            lock.unlock();
        }
    }

    /** Who writes to a volume that the catalogue has so, if anybody does. */
    Optional<Known> writer(int volume, Catalogue.Entry entry) {
        lock.lock();
        try {
            long nowNanos = clock.getAsLong();
            see(volume, nowNanos);
            long client = attachments.writer(volume, new Kept(entry.epoch(), entry.writer()), nowNanos);
            return client == 0
                    ? Optional.empty()
                    : Optional.of(new Known(seen.name(volume, client), seen.since(volume, Instant.EPOCH)));
        } finally {
            lock.unlock();
        }
    }

    /** Who reads it. */
    List<String> readers(int volume) {
        lock.lock();
        try {
            return attachments.readers(volume).stream().map(seen::name).toList();
        } finally {
            lock.unlock();
        }
    }
}
