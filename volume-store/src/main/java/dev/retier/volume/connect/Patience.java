package dev.retier.volume.connect;

import dev.retier.volume.NoSpaceException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** For how long who has asked for something waits for the server. Guarded by its session's lock. */
final class Patience {
    private final String server;
    /** Empty for ever. */
    private Optional<Duration> most;
    /** When the last connection ended; at first since when there is none. */
    private long lostSinceNanos;

    Patience(String server, Optional<Duration> most, long nowNanos) {
        this.server = server;
        this.most = most;
        this.lostSinceNanos = nowNanos;
    }

    /** From now on no longer than that. */
    void hurry(Duration most, boolean isLost, long nowNanos) {
        if (this.most.isEmpty() || this.most.get().compareTo(most) > 0) {
            this.most = Optional.of(most);
            lostSinceNanos = isLost ? nowNanos : lostSinceNanos;
        }
    }

    /**
     * A connection has ended; what is not to be sent over another one, as it was asked for too long ago and one
     * has ended since already. Else what ends each connection over which it is sent would never end itself; what was
     * under way for long, and loses its first one, is sent again.
     */
    Predicate<Ticket> lost(long nowNanos) {
        long beforeNanos = lostSinceNanos;
        lostSinceNanos = nowNanos;
        return ticket -> ticket.askedNanos() - beforeNanos < 0 && isOver(ticket, nowNanos);
    }

    /** Whether there has been no connection for so long. To be asked while there is none. */
    boolean isOver(long nowNanos) {
        return isTooLong(nowNanos - lostSinceNanos);
    }

    /** Whether something was asked for so long ago. */
    boolean isOver(Ticket ticket, long nowNanos) {
        return isTooLong(nowNanos - ticket.askedNanos());
    }

    private boolean isTooLong(long nanos) {
        return most.isPresent() && nanos > most.get().toNanos();
    }

    private String seconds() {
        return most.map(Duration::toSeconds).orElse(0L) + " s";
    }

    /** Why what waits fails when {@link #isOver(long)}. */
    IOException notReached() {
        return new IOException(server + " has not been reached for " + seconds()
                + ": is it running, with the same pool and the same secret?");
    }

    /** Why what was asked for so long ago fails while what is sent again, before it, cannot be done. */
    IOException heldUp() {
        return new NoSpaceException(server + " has had no room for more than " + seconds()
                + " for what it had lost and is sent again before all else: that is kept; make room on its disk");
    }

    /** Why what is as {@link #lost} says fails. */
    IOException lostAgain() {
        return new IOException(server + " was asked for it for more than " + seconds()
                + ", and one connection after the other ended: see why in its log and in this client's");
    }
}
