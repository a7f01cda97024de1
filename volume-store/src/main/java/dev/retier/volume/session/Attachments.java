package dev.retier.volume.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the volumes of a server: each has one writer at most, and any number of readers. A writer's attachment has
 * an epoch, which is higher with each; over each connection of its client it is another <em>use</em>, and only the
 * newest one counts: what comes of another is fenced. A writer that says nothing for as long as a lease lasts may be
 * replaced. The server's clock alone counts. What the disk keeps of a volume is told with each call. Not thread-safe.
 */
public final class Attachments {
    private final long leaseNanos;
    private final long startNanos;
    private final Map<Integer, Writer> writers = new HashMap<>();
    /** Who is about to have a volume: nothing of the one before begins meanwhile. */
    private final Map<Integer, Taking> takings = new HashMap<>();

    private final Map<Long, Use> uses = new HashMap<>();
    private long lastUse;

    private record Writer(long client, int epoch, long use, long seenNanos) {}

    private record Taking(long client, int epoch) {}

    /** A client's use of a volume over one connection. */
    private static final class Use {
        final int volume;
        final long client;
        final boolean isForReading;
        /** How many requests of it run. */
        int running;

        Use(int volume, long client, boolean isForReading) {
            this.volume = volume;
            this.client = client;
            this.isForReading = isForReading;
        }
    }

    /** What becomes of a request for an attachment. */
    public sealed interface Outcome {
        /** It is about to have it: to be {@linkplain #give given} once the epoch is on the disk, or {@link #leave}. */
        record Taken(int epoch) implements Outcome {}

        /**
         * It may go on, to write once {@link #isQuiet}.
         *
         * @param use names it from now on
         */
        record Resumed(long use) implements Outcome {}

        /** That client has it. */
        record Held(long client) implements Outcome {}

        /** Somebody is about to have it. */
        record Busy() implements Outcome {}

        /** There is no epoch above that of the volume. */
        record UsedUp() implements Outcome {}

        /** The client has it no more. */
        record Lost() implements Outcome {}
    }

    /**
     * What a client wants.
     *
     * @param client its life; 0 to take a volume from who has it and give it to nobody
     * @param isByForce whether whoever has it loses it
     */
    public record Wish(long client, boolean isByForce) {}

    /**
     * What the disk tells of a volume.
     *
     * @param epoch of the last attachment for writing, unsigned
     * @param client that had it; 0 if none has
     */
    public record Kept(int epoch, long client) {}

    /** What becomes of a request of a use. */
    public enum Admission {
        /** It runs until its {@link #end}. */
        RUNS,
        /** Somebody is about to have the volume: it may be asked for again. */
        WAITS,
        /** Somebody else has it. */
        FENCED
    }

    /** Of a server that starts now: whoever had a volume before has a lease to come back. */
    public Attachments(long leaseNanos, long nowNanos) {
        this.leaseNanos = leaseNanos;
        this.startNanos = nowNanos;
    }

    private Optional<Long> heldBy(int volume, Kept kept, long nowNanos) {
        Writer writer = writers.get(volume);
        if (writer == null) {
            boolean mayComeBack = kept.client != 0 && nowNanos - startNanos < leaseNanos;
            return mayComeBack ? Optional.of(kept.client) : Optional.empty();
        }
        Use mine = uses.get(writer.use);
        boolean isAlive = nowNanos - writer.seenNanos < leaseNanos || (mine != null && mine.running > 0);
        return isAlive ? Optional.of(writer.client) : Optional.empty();
    }

    /** A client wants to write to a volume. */
    public Outcome take(int volume, Kept kept, Wish wish, long nowNanos) {
        if (takings.containsKey(volume)) {
            return new Outcome.Busy();
        }
        Optional<Long> other =
                heldBy(volume, kept, nowNanos).filter(client -> client != wish.client && !wish.isByForce);
        if (other.isPresent()) {
            return new Outcome.Held(other.get());
        }
        if (kept.epoch == -1) {
            return new Outcome.UsedUp();
        }
        int epoch = kept.epoch + 1;
        takings.put(volume, new Taking(wish.client, epoch));
        return new Outcome.Taken(epoch);
    }

    /** What was taken is on the disk: who took it has it; which use that is, 0 if nobody has it. */
    public long give(int volume, long nowNanos) {
        Taking taken = takings.remove(volume);
        if (taken == null) {
            throw new IllegalStateException("nobody is about to have volume " + volume);
        }
        if (taken.client == 0) {
            Writer before = writers.remove(volume);
            tidy(before);
            return 0;
        }
        return write(volume, taken.client, taken.epoch, nowNanos);
    }

    /**
     * Something is about to be done with a volume that nobody has: nobody gets it until {@link #leave}. Returns whether
     * nobody has it.
     */
    public boolean reserve(int volume, Kept kept, long nowNanos) {
        boolean isFree = !takings.containsKey(volume)
                && isQuiet(volume)
                && heldBy(volume, kept, nowNanos).isEmpty()
                && readers(volume).isEmpty();
        if (isFree) {
            takings.put(volume, new Taking(0, kept.epoch));
        }
        return isFree;
    }

    /** What was taken is not given: who had it has it still. */
    public void leave(int volume) {
        takings.remove(volume);
    }

    /** A client that has a volume to write to comes by another connection. */
    public Outcome resume(int volume, Kept kept, long client, int epoch, long nowNanos) {
        if (takings.containsKey(volume)) {
            return new Outcome.Busy();
        }
        Writer writer = writers.get(volume);
        Writer wanted = writer == null ? new Writer(kept.client, kept.epoch, 0, 0) : writer;
        if (wanted.client != client || wanted.epoch != epoch) {
            return new Outcome.Lost();
        }
        return new Outcome.Resumed(write(volume, client, epoch, nowNanos));
    }

    /** A client reads a volume, whoever writes to it. */
    public Outcome read(int volume, long client) {
        return takings.containsKey(volume) ? new Outcome.Busy() : new Outcome.Resumed(begun(volume, client, true));
    }

    private long write(int volume, long client, int epoch, long nowNanos) {
        long use = begun(volume, client, false);
        tidy(writers.put(volume, new Writer(client, epoch, use, nowNanos)));
        return use;
    }

    private long begun(int volume, long client, boolean isForReading) {
        long use = ++lastUse;
        uses.put(use, new Use(volume, client, isForReading));
        return use;
    }

    /** Whether nothing of what was used to write to the volume runs any more. */
    public boolean isQuiet(int volume) {
        return uses.values().stream().noneMatch(use -> use.volume == volume && !use.isForReading && use.running > 0);
    }

    /** A request of this use is about to run, which renews the lease. */
    public Admission begin(long use, long nowNanos) {
        Use mine = uses.get(use);
        if (mine == null || !counts(use, mine)) {
            return Admission.FENCED;
        }
        if (!mine.isForReading && takings.containsKey(mine.volume)) {
            return Admission.WAITS;
        }
        heard(mine.volume, use, nowNanos);
        mine.running++;
        return Admission.RUNS;
    }

    private boolean counts(long use, Use mine) {
        Writer writer = writers.get(mine.volume);
        return mine.isForReading || (writer != null && writer.use == use);
    }

    /** One of its requests runs no more; its client had no reason to say more meanwhile. */
    public void end(long use, long nowNanos) {
        Use mine = uses.get(use);
        if (mine != null) {
            mine.running--;
            heard(mine.volume, use, nowNanos);
            forget(use, mine);
        }
    }

    private void heard(int volume, long use, long nowNanos) {
        writers.computeIfPresent(
                volume,
                (_, writer) -> writer.use == use ? new Writer(writer.client, writer.epoch, use, nowNanos) : writer);
    }

    /** Something that the writer has asked for waits here: it has its lease from now on. */
    public void isWaitedFor(int volume, long nowNanos) {
        Writer writer = writers.get(volume);
        if (writer != null) {
            heard(volume, writer.use, nowNanos);
        }
    }

    /**
     * The connection of these uses is over: a writer may come by another one as long as its lease lasts; a reader reads
     * no more.
     */
    public void lost(Set<Long> ofConnection) {
        for (long use : new HashSet<>(ofConnection)) {
            Use mine = uses.get(use);
            if (mine != null && mine.isForReading) {
                uses.remove(use);
            } else if (mine != null) {
                forget(use, mine);
            }
        }
    }

    private void tidy(@Nullable Writer before) {
        if (before == null) {
            return;
        }
        Use former = uses.get(before.use);
        if (former != null) {
            forget(before.use, former);
        }
    }

    private void forget(long use, Use mine) {
        if (mine.running == 0 && !counts(use, mine)) {
            uses.remove(use);
        }
    }

    /** Its client needs it no more. Returns whether it had the volume to write to. */
    public boolean detach(long use) {
        Use mine = uses.get(use);
        if (mine == null || !counts(use, mine)) {
            return false;
        }
        if (mine.isForReading) {
            uses.remove(use);
            return false;
        }
        writers.remove(mine.volume);
        forget(use, mine);
        return true;
    }

    /** The volume is gone. */
    public void deleted(int volume) {
        tidy(writers.remove(volume));
    }

    /** Which client has a volume to write to; 0 if none has, or its lease has run out. */
    public long writer(int volume, Kept kept, long nowNanos) {
        return heldBy(volume, kept, nowNanos).orElse(0L);
    }

    /** The clients that read a volume. */
    public List<Long> readers(int volume) {
        List<Long> readers = new ArrayList<>();
        uses.forEach((_, use) -> {
            if (use.isForReading && use.volume == volume) {
                readers.add(use.client);
            }
        });
        return readers;
    }
}
