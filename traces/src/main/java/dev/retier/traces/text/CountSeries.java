package dev.retier.traces.text;

import dev.retier.traces.Lines;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code period,count} lines with a heading, such as the World Cup's requests per minute. Stateless. */
public final class CountSeries {
    /** Longer series are refused: two years of minutes. */
    public static final int MAX_PERIODS = 1 << 20;

    private CountSeries() {}

    /**
     * The counts of {@code in}, decompressed text, in order; the first line is taken as a heading when it has no count.
     *
     * @throws IllegalArgumentException that names the first line that has no count, or says that there are too many
     */
    public static List<Long> read(InputStream in) throws IOException {
        Lines lines = new Lines(in);
        List<Long> counts = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            String count = line.substring(line.lastIndexOf(',') + 1).strip();
            if (count.matches("\\d{1,15}")) {
                counts.add(Long.parseLong(count));
            } else if (lines.number() > 1 && !line.isBlank()) {
                throw new IllegalArgumentException("line " + lines.number() + " is not: period,count");
            }
            if (counts.size() > MAX_PERIODS) {
                throw new IllegalArgumentException("more than " + MAX_PERIODS + " periods");
            }
        }
        return List.copyOf(counts);
    }
}
