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

    private boolean didWait;

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

    /** Whether some wait now and some did at the look before: one look may meet a burst on its way in. */
    public boolean isFull(long waiting) {
        boolean isFull = waiting > 0 && didWait;
        didWait = waiting > 0;
        return isFull;
    }
}
