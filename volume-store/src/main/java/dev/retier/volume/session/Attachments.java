package dev.retier.volume.session;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who uses the volumes of a server, each by one client. An attachment has an epoch, which is higher with each; over
 * each connection of its client it is another <em>use</em>, and only the newest one counts: what comes of another is
 * fenced. A client that says nothing for as long as a lease lasts may be replaced. The server's clock alone counts.
 * Not thread-safe.
 */
public final class Attachments {
    private final long leaseNanos;
    private final long startNanos;
    private final Map<Integer, Holder> holders = new HashMap<>();
    /** The highest epoch that was given of each volume, which the disk need not have yet. */
    private final Map<Integer, Integer> given = new HashMap<>();

    private final Map<Long, Use> uses = new HashMap<>();
    private long lastUse;

    private record Holder(int client, int epoch, long use, long seenNanos) {}

    /** Guarded by the owner: how many requests of it run. */
    private static final class Use {
        final int volume;
        int running;

        Use(int volume) {
            this.volume = volume;
        }
    }

    /** What becomes of a request for an attachment. */
    public sealed interface Outcome {
        /**
         * It may have it, once the epoch is on the disk and {@link #isReady}.
         *
         * @param use names it from now on
         * @param epoch of the attachment, unsigned
         */
        record Granted(long use, int epoch) implements Outcome {}

        /** That client has it. */
        record Held(int client) implements Outcome {}

        /** The epoch that was asked for is not above that of the volume, or there is none above. */
        record Outdated(int epoch) implements Outcome {}
    }

    /**
     * What a client wants.
     *
     * @param epoch that it was given by somebody else, unsigned, which must be a higher one; 0 for the next one
     * @param isByForce whether whoever has it loses it
     */
    public record Wish(int client, int epoch, boolean isByForce) {}

    /**
     * What the disk tells of a volume.
     *
     * @param epoch of the last attachment, unsigned
     * @param client that had it; 0 if none has
     */
    public record Kept(int epoch, int client) {}

    /** Of a server that starts now: whoever had a volume before has a lease to come back. */
    public Attachments(long leaseNanos, long nowNanos) {
        this.leaseNanos = leaseNanos;
        this.startNanos = nowNanos;
    }

    private int highest(int volume, Kept kept) {
        int highest = given.getOrDefault(volume, kept.epoch);
        return Integer.compareUnsigned(highest, kept.epoch) < 0 ? kept.epoch : highest;
    }

    private Optional<Integer> heldBy(int volume, Kept kept, long nowNanos) {
        Holder holder = holders.get(volume);
        if (holder == null) {
            boolean mayComeBack = kept.client != 0 && nowNanos - startNanos < leaseNanos && !given.containsKey(volume);
            return mayComeBack ? Optional.of(kept.client) : Optional.empty();
        }
        Use mine = uses.get(holder.use);
        boolean isAlive = nowNanos - holder.seenNanos < leaseNanos || (mine != null && mine.running > 0);
        return isAlive ? Optional.of(holder.client) : Optional.empty();
    }

    /** A client wants a volume. */
    public Outcome attach(int volume, Kept kept, Wish wish, long nowNanos) {
        Optional<Integer> other =
                heldBy(volume, kept, nowNanos).filter(client -> client != wish.client && !wish.isByForce);
        if (other.isPresent() && wish.epoch == 0) {
            return new Outcome.Held(other.get());
        }
        int highest = highest(volume, kept);
        if (highest == -1
                || wish.epoch == -1
                || (wish.epoch != 0 && Integer.compareUnsigned(wish.epoch, highest) <= 0)) {
            return new Outcome.Outdated(highest);
        }
        int epoch = wish.epoch == 0 ? highest + 1 : wish.epoch;
        given.put(volume, epoch);
        return new Outcome.Granted(use(volume, wish.client, epoch, nowNanos), epoch);
    }

    /** A client that has a volume comes by another connection; empty if it has it no more. */
    public Optional<Outcome.Granted> resume(int volume, Kept kept, int client, int epoch, long nowNanos) {
        Holder holder = holders.get(volume);
        boolean isIts = holder == null ? kept.client == client && !given.containsKey(volume) : holder.client == client;
        if (!isIts || highest(volume, kept) != epoch) {
            return Optional.empty();
        }
        return Optional.of(new Outcome.Granted(use(volume, client, epoch, nowNanos), epoch));
    }

    private long use(int volume, int client, int epoch, long nowNanos) {
        long use = ++lastUse;
        Holder before = holders.put(volume, new Holder(client, epoch, use, nowNanos));
        uses.put(use, new Use(volume));
        Use former = before == null ? null : uses.get(before.use);
        if (before != null && former != null) {
            forget(before.use, former);
        }
        return use;
    }

    /** Whether nothing of what the volume was used for before runs any more. */
    public boolean isReady(long use) {
        Use mine = uses.get(use);
        return mine != null
                && uses.entrySet().stream()
                        .noneMatch(other -> other.getValue().volume == mine.volume
                                && other.getKey() != use
                                && other.getValue().running > 0);
    }

    /** A request of this use is about to run, until it {@linkplain #end ends}, which renews the lease; false if not. */
    public boolean begin(long use, long nowNanos) {
        Use mine = uses.get(use);
        Holder holder = mine == null ? null : holders.get(mine.volume);
        if (mine == null || holder == null || holder.use != use) {
            return false;
        }
        holders.put(mine.volume, new Holder(holder.client, holder.epoch, use, nowNanos));
        mine.running++;
        return true;
    }

    /** One of its requests runs no more; its client had no reason to say more meanwhile. */
    public void end(long use, long nowNanos) {
        Use mine = uses.get(use);
        if (mine != null) {
            mine.running--;
            holders.computeIfPresent(
                    mine.volume,
                    (_, holder) -> holder.use == use ? new Holder(holder.client, holder.epoch, use, nowNanos) : holder);
            forget(use, mine);
        }
    }

    /** The connection of these uses is over; their client may come by another one as long as its lease lasts. */
    public void lost(Set<Long> ofConnection) {
        for (long use : new HashSet<>(ofConnection)) {
            Use mine = uses.get(use);
            if (mine != null) {
                forget(use, mine);
            }
        }
    }

    private void forget(long use, Use mine) {
        Holder holder = holders.get(mine.volume);
        if (mine.running == 0 && (holder == null || holder.use != use)) {
            uses.remove(use);
        }
    }

    /** Its client needs it no more. Returns whether it had it. */
    public boolean detach(long use) {
        Use mine = uses.get(use);
        Holder holder = mine == null ? null : holders.get(mine.volume);
        if (mine == null || holder == null || holder.use != use) {
            return false;
        }
        holders.remove(mine.volume);
        forget(use, mine);
        return true;
    }

    /** Nobody who had the volume has it any more. Returns the epoch that the disk must keep for that, unsigned. */
    public int fence(int volume, Kept kept) {
        holders.remove(volume);
        int highest = highest(volume, kept);
        int epoch = highest == -1 ? highest : highest + 1;
        given.put(volume, epoch);
        return epoch;
    }

    /** Which client has a volume; 0 if none has, or its lease has run out. */
    public int client(int volume, Kept kept, long nowNanos) {
        return heldBy(volume, kept, nowNanos).orElse(0);
    }
}
