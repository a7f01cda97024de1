package dev.retier.iwarp.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells who was refused and why, however many come: one line per address and hour, {@value #LINES_PER_MINUTE} lines a
 * minute in all, and one line for the sum of all others. Time comes in as an argument. Owned by the loop's thread.
 */
final class RefusalLog {
    /** Lines in a minute at most, the one with the sum included. */
    static final int LINES_PER_MINUTE = 8;
    /** Addresses that are remembered; with more, the one told first may be told again. */
    static final int ADDRESSES = 4096;

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Consumer<String> lines;
    private final Map<InetAddress, Long> toldNanos = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
            return size() > ADDRESSES;
        }
    };
    private boolean counting;
    private long minuteNanos;
    private int told;
    private long untold;
    private String lastUntold = "";

    /** Tells {@code lines}. */
    RefusalLog(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Somebody was refused at {@code nowNanos}, on {@link System#nanoTime}'s scale. */
    void refused(InetSocketAddress who, String why, long nowNanos) {
        tick(nowNanos);
        if (!counting) {
            counting = true;
            minuteNanos = nowNanos;
        }
        InetAddress address = who.getAddress();
        Long before = toldNanos.get(address);
        boolean news = before == null || nowNanos - before >= HOUR_NANOS;
        if (!news || told >= LINES_PER_MINUTE - 1) {
            untold++;
            lastUntold = who + " " + why;
            return;
        }
        toldNanos.remove(address);
        toldNanos.put(address, nowNanos);
        told++;
        lines.accept(who + " " + why + "; of this address nothing more is told for an hour");
    }

    /** Whether a sum waits to be told by {@link #tick}. */
    boolean owesLine() {
        return untold > 0;
    }

    /** Tells the sum of a minute that is over. Call it now and then; cheap. */
    void tick(long nowNanos) {
        if (!counting || nowNanos - minuteNanos < MINUTE_NANOS) {
            return;
        }
        if (untold > 0) {
            lines.accept(untold + " more connections were refused within a minute or so; the last one: " + lastUntold);
        }
        counting = false;
        told = 0;
        untold = 0;
        lastUntold = "";
    }
}
