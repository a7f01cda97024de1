package dev.retier.volume.serve;

import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.session.Attachments;
import dev.retier.volume.session.Attachments.Kept;
import dev.retier.volume.session.Attachments.Outcome;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** {@link Attachments} of a pool: with its epochs, by the clock, for many threads. */
final class Uses {
    private final Pool pool;
    private final LongSupplier clock;
    private final long quiesceNanos;
    private final Tally tally;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    /** Guarded by the lock. */
    private final Attachments attachments;
    /** Which nobody gets, as something is done with them. Guarded by the lock. */
    private final Set<Integer> reserved = new HashSet<>();

    /** By a clock in nanoseconds. */
    Uses(Pool pool, ServerConfig.Times times, Tally tally, LongSupplier clock) {
        this.pool = pool;
        this.tally = tally;
        this.clock = clock;
        this.quiesceNanos = times.quiesce().toNanos();
        this.attachments = new Attachments(times.lease().toNanos(), clock.getAsLong());
    }

    private static Kept kept(Catalogue.Entry entry) {
        return new Kept(entry.epoch(), entry.writer());
    }

    private Catalogue.Entry entry(int volume) {
        Catalogue.Entry entry = pool.catalogue().entries().get(volume);
        if (entry == null) {
            throw new Refusal(Status.WRONG_NAME, "there is no such volume");
        }
        return entry;
    }

    /**
     * Gives a volume to a client; returns once that is on the disk, and nothing that it was used for before runs any
     * more.
     */
    Outcome.Granted attach(int volume, Wish wish) throws IOException, InterruptedException {
        pool.requireChangeable(); // before anybody loses it
        Outcome outcome;
        lock.lock();
        try {
            requireFree(volume);
            outcome = attachments.attach(volume, kept(entry(volume)), wish, clock.getAsLong());
        } finally {
            lock.unlock();
        }
        switch (outcome) {
            case Outcome.Granted granted -> {
                pool.attach(volume, granted.epoch(), wish.client());
                pool.flush();
                awaitReady(granted.use());
                return granted;
            }
            case Outcome.Held(int client) ->
                throw new Refusal(
                        Status.HELD, "client " + client + " has it attached: detach it there, or take it by force");
            case Outcome.Outdated(int epoch) ->
                throw new Refusal(Status.FENCED, "its epoch is " + Integer.toUnsignedString(epoch) + " already");
        }
    }

    /** Lets a client go on that has the volume, by a new connection, when nothing of the old one runs any more. */
    Outcome.Granted resume(int volume, int client, int epoch) throws InterruptedException {
        Optional<Outcome.Granted> granted;
        lock.lock();
        try {
            requireFree(volume);
            granted = attachments.resume(volume, kept(entry(volume)), client, epoch, clock.getAsLong());
        } finally {
            lock.unlock();
        }
        Outcome.Granted mine =
                granted.orElseThrow(() -> new Refusal(Status.FENCED, "somebody else has attached the volume since"));
        awaitReady(mine.use());
        return mine;
    }

    private void requireFree(int volume) {
        if (reserved.contains(volume)) {
            throw new Refusal(Status.BUSY, "something else is done with the volume; try again");
        }
    }

    /** What is done with a volume that nobody has. */
    @FunctionalInterface
    interface Replacement {
        void run() throws IOException;
    }

    /** Gives a volume that nobody has something else to hold; who had it before is fenced. */
    void replace(int volume, Replacement replacement) throws IOException {
        int epoch;
        lock.lock();
        try {
            Catalogue.Entry entry = entry(volume);
            int client = attachments.client(volume, kept(entry), clock.getAsLong());
            if (client != 0) {
                throw new Refusal(
                        Status.HELD, "client " + client + " has " + entry.name() + " attached: detach it first");
            }
            requireFree(volume);
            reserved.add(volume);
            epoch = attachments.fence(volume, kept(entry));
        } finally {
            lock.unlock();
        }
        try {
            pool.attach(volume, epoch, 0);
            replacement.run();
        } finally {
            lock.lock();
            try {
                reserved.remove(volume);
            } finally {
                lock.unlock();
            }
        }
    }

    private void awaitReady(long use) throws InterruptedException {
        long sinceNanos = System.nanoTime();
        lock.lock();
        try {
            long left = quiesceNanos;
            while (!attachments.isReady(use)) {
                if (left <= 0) {
                    throw new Refusal(Status.BUSY, "requests of its last connection are still under way; try again");
                }
                left = ended.awaitNanos(left);
            }
        } finally {
            lock.unlock();
            tally.quiesced(System.nanoTime() - sinceNanos);
        }
    }

    /** A request of this use is about to run, until it ends; false if it may not. */
    boolean begin(long use) {
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

    void lost(Set<Long> uses) {
        lock.lock();
        try {
            attachments.lost(uses);
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
        } finally {
            lock.unlock();
        }
        if (had) {
            pool.attach(volume, epoch, 0);
        }
    }

    /** Of each volume that a client has, which. */
    Map<Integer, Integer> clients() {
        Map<Integer, Catalogue.Entry> all = pool.catalogue().entries();
        Map<Integer, Integer> clients = new HashMap<>();
        long nowNanos = clock.getAsLong();
        lock.lock();
        try {
            all.forEach((volume, entry) -> {
                int client = attachments.client(volume, kept(entry), nowNanos);
                if (client != 0) {
                    clients.put(volume, client);
                }
            });
        } finally {
            lock.unlock();
        }
        return clients;
    }

    /** Which client has a volume; 0 if none has. */
    int client(int volume) {
        Kept kept = kept(entry(volume));
        lock.lock();
        try {
            return attachments.client(volume, kept, clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }
}
