package dev.retier.agent.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The difference of two texts, line by line: {@code "-"} before lines that go, {@code "+"} before those that come. */
public final class TextDiff {
    /** Files of more lines are shown as wholly replaced; the table below would have a million cells. */
    private static final int MAX_LINES = 1_000;

    private TextDiff() {}

    /** The lines of both, the common ones with a blank before them; empty when the texts are equal. */
    public static List<String> of(String before, String after) {
        if (before.equals(after)) {
            return List.of();
        }
        List<String> old = before.lines().toList();
        List<String> fresh = after.lines().toList();
        if (old.size() > MAX_LINES || fresh.size() > MAX_LINES) {
            return Stream.concat(
                            old.stream().map(line -> "-" + line), fresh.stream().map(line -> "+" + line))
                    .toList();
        }
        return walk(old, fresh, common(old, fresh));
    }

    /** How many lines the rest of the one from i and the rest of the other from j have in common, in order. */
    private static int[][] common(List<String> old, List<String> fresh) {
        int[][] length = new int[old.size() + 1][fresh.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = fresh.size() - 1; j >= 0; j--) {
                length[i][j] = old.get(i).equals(fresh.get(j))
                        ? length[i + 1][j + 1] + 1
                        : Math.max(length[i + 1][j], length[i][j + 1]);
            }
        }
        return length;
    }

    private static List<String> walk(List<String> old, List<String> fresh, int[][] length) {
        List<String> lines = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < old.size() || j < fresh.size()) {
            boolean isSame = i < old.size() && j < fresh.size() && old.get(i).equals(fresh.get(j));
            if (isSame) {
                lines.add(" " + old.get(i));
                i++;
                j++;
            } else if (i < old.size() && (j == fresh.size() || length[i + 1][j] >= length[i][j + 1])) {
                lines.add("-" + old.get(i++));
            } else {
                lines.add("+" + fresh.get(j++));
            }
        }
        return lines;
    }
}
