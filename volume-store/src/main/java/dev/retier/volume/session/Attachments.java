package dev.retier.volume.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who uses the volumes of a server, each by a connection: one may write, any number may read. Who writes has an epoch,
 * which is higher with each attachment; what comes of a lower one is fenced. A writer that says nothing for as long as
 * a lease lasts may be replaced. The server's clock alone counts. Not thread-safe.
 */
public final class Attachments {
    private final long leaseNanos;
    private final Map<Integer, Writer> writers = new HashMap<>();

    private record Writer(int node, long connection, int epoch, long seenNanos) {}

    /** What becomes of a request for an attachment. */
    public sealed interface Outcome {
        /**
         * It may have it, once the epoch is on the disk and nothing of {@code before} runs any more.
         *
         * @param epoch of the attachment, unsigned
         * @param before the connection that had it
         */
        record Granted(int epoch, Optional<Long> before) implements Outcome {}

        /**
         * Somebody has it.
         *
         * @param node who
         */
        record Held(int node) implements Outcome {}

        /**
         * The epoch that was asked for is not above that of the volume.
         *
         * @param epoch of the volume, unsigned
         */
        record Outdated(int epoch) implements Outcome {}
    }

    /**
     * What a client wants.
     *
     * @param epoch that it was given by somebody else, unsigned, which must be a higher one; 0 for the next one
     * @param isByForce whether whoever has it loses it
     */
    public record Wish(int node, long connection, int epoch, boolean isByForce) {}

    /** With leases of that length. */
    public Attachments(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /**
     * A client wants to write.
     *
     * @param epoch of the volume as the pool has it, unsigned
     */
    public Outcome attach(int volume, int epoch, Wish wish, long nowNanos) {
        Writer holder = writers.get(volume);
        boolean isTaken = wish.isByForce || wish.epoch != 0;
        if (holder != null && !isTaken && holder.node != wish.node && nowNanos - holder.seenNanos < leaseNanos) {
            return new Outcome.Held(holder.node);
        }
        if (wish.epoch != 0 && Integer.compareUnsigned(wish.epoch, epoch) <= 0) {
            return new Outcome.Outdated(epoch);
        }
        int next = wish.epoch == 0 ? epoch + 1 : wish.epoch;
        writers.put(volume, new Writer(wish.node, wish.connection, next, nowNanos));
        return new Outcome.Granted(next, Optional.ofNullable(holder).map(Writer::connection));
    }

    /**
     * A client that has it, and has lost its connection, comes by another one.
     *
     * @return the connection that it had, of which nothing may run any more before the new one is used; empty if it
     *     has it no more
     */
    public Optional<Long> resume(int volume, Wish wish, long nowNanos) {
        Writer holder = writers.get(volume);
        if (holder == null || holder.node != wish.node || holder.epoch != wish.epoch) {
            return Optional.empty();
        }
        writers.put(volume, new Writer(wish.node, wish.connection, wish.epoch, nowNanos));
        return Optional.of(holder.connection);
    }

    /** Whether a change by that connection and epoch may be made; renews its lease if so. */
    public boolean mayWrite(int volume, long connection, int epoch, long nowNanos) {
        Writer holder = writers.get(volume);
        if (holder == null || holder.connection != connection || holder.epoch != epoch) {
            return false;
        }
        writers.put(volume, new Writer(holder.node, connection, epoch, nowNanos));
        return true;
    }

    /** It needs it no more. */
    public void detach(int volume, long connection) {
        writers.computeIfPresent(volume, (_, holder) -> holder.connection == connection ? null : holder);
    }

    /** Who writes to it, if anybody does and its lease has not run out. */
    public Optional<Integer> writer(int volume, long nowNanos) {
        return Optional.ofNullable(writers.get(volume))
                .filter(holder -> nowNanos - holder.seenNanos < leaseNanos)
                .map(Writer::node);
    }
}
