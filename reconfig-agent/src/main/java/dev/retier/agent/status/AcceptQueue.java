package dev.retier.agent.status;

import java.util.stream.Stream;

/**
 * Clients whose connections the system has taken for a server, and the server has not: those who wait because it holds
 * all that it can, whatever it is that limits it and however idle its processor is. Not thread-safe.
 */
public final class AcceptQueue {
    private static final int STATE_COLUMN = 3;
    private static final int QUEUES_COLUMN = 4;
    private static final String LISTENS = "0A";
    private static final int HEXADECIMAL = 16;

    /** Walking the table takes the kernel a millisecond or two, however short it is: its hash is large. */
    private static final long AGAIN_NANOS = 2_000_000_000L;
    /** And longer than a burst takes on its way in. */
    private static final long SOON_NANOS = 500_000_000L;

    private long lookedNanos;
    private boolean didWait;
    private boolean isFull;

    /** One that nobody has looked at, at {@code nowNanos}. */
    public AcceptQueue(long nowNanos) {
        this.lookedNanos = nowNanos - AGAIN_NANOS;
    }

    /**
     * Clients that wait at {@code port}.
     *
     * @param table lines of {@code /proc/net/tcp} or {@code tcp6}, which has the sockets that listen first: nothing
     *     behind them is read, and a busy machine has many
     */
    public static long waiting(Stream<String> table, int port) {
        return table.skip(1)
                .map(line -> line.strip().split("\\s+"))
                .takeWhile(cells -> cells.length > QUEUES_COLUMN && cells[STATE_COLUMN].equals(LISTENS))
                .filter(cells -> Integer.parseInt(after(cells[1]), HEXADECIMAL) == port)
                .mapToLong(cells -> Long.parseLong(after(cells[QUEUES_COLUMN]), HEXADECIMAL))
                .sum();
    }

    private static String after(String pair) {
        return pair.substring(pair.lastIndexOf(':') + 1);
    }

    /** Whether it is to be looked at again: every half second while some wait or answers are late, else every two. */
    public boolean isDue(boolean isLate, long nowNanos) {
        return nowNanos - lookedNanos >= (didWait || isLate ? SOON_NANOS : AGAIN_NANOS);
    }

    /** So many more wait now than must. */
    public void looked(long waiting, long nowNanos) {
        isFull = waiting > 0 && didWait;
        didWait = waiting > 0;
        lookedNanos = nowNanos;
    }

    /** Whether some waited at the newest look and some did at the one before: one may meet a burst on its way in. */
    public boolean isFull() {
        return isFull;
    }
}
