package dev.retier.sim.blocks;

import dev.retier.volume.wire.Operation;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of a recorded volume: {@code microseconds,operation,offset,length}.
 *
 * @param micros since the recording began
 * @param offset in bytes, as is the length
 */
public record BlockRequest(long micros, Operation operation, long offset, long length) {
    /** The first line of such a file. */
    public static final String HEAD = "time_us,operation,offset,length";

    private static final int COLUMNS = 4;
    private static final String REMEDY = "; record it with `retier volume trace`";

    /**
     * What a line says.
     *
     * @param where the file and the line, for messages
     * @throws IllegalArgumentException if it is no such line; the message says where and what is wrong
     */
    public static BlockRequest parse(String line, String where) {
        String[] columns = line.strip().split(",", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException(where + ": \"" + shown(line) + "\" is not " + HEAD + REMEDY);
        }
        return new BlockRequest(
                number(columns[0], where),
                operation(columns[1], where),
                number(columns[2], where),
                number(columns[3], where));
    }

    /**
     * What the line of that number, from 1, of a recording says: empty for the first one, and for a blank one.
     *
     * @param file its name, for messages
     * @throws IllegalArgumentException as {@link #parse} does
     */
    public static Optional<BlockRequest> ofLine(String line, String file, int number) {
        boolean isHead = number == 1 && line.strip().equals(HEAD);
        return isHead || line.isBlank() ? Optional.empty() : Optional.of(parse(line, file + ":" + number));
    }

    private static Operation operation(String word, String where) {
        for (Operation operation : Operation.values()) {
            if (operation.name().toLowerCase(Locale.ROOT).equals(word)) {
                return operation;
            }
        }
        throw new IllegalArgumentException(
                where + ": \"" + shown(word) + "\" is no operation; write read, write, zero, flush or extents");
    }

    private static long number(String text, String where) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new IllegalArgumentException(where + ": \"" + shown(text) + "\" is no number from 0 on" + REMEDY);
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }
}
