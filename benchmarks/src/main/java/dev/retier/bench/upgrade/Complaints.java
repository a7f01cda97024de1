package dev.retier.bench.upgrade;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a log says at WARN and ERROR.
 *
 * @param count of such lines
 * @param kinds texts of them, each kind once, numbers left out
 */
record Complaints(long count, List<String> kinds) {
    private static final Pattern COMPLAINT = Pattern.compile("\\b(WARN|ERROR)\\b");
    private static final int MOST_KINDS = 8;
    private static final int LONGEST = 160;

    /** Reads them from the lines of a log. */
    static Complaints of(List<String> lines) {
        List<String> complaints =
                lines.stream().filter(line -> COMPLAINT.matcher(line).find()).toList();
        List<String> kinds = complaints.stream()
                .map(line -> line.replaceFirst("^.*?\\b(?=WARN|ERROR)", ""))
                .map(line -> line.replaceAll("\\d+(\\.\\d+)*", "N"))
                .map(line -> line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...")
                .distinct()
                .limit(MOST_KINDS)
                .toList();
        return new Complaints(complaints.size(), kinds);
    }

    /** All kinds in one line. */
    String print() {
        return kinds.isEmpty() ? "nothing" : String.join(" | ", kinds);
    }
}
