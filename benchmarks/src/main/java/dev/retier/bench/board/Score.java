package dev.retier.bench.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One figure of one row.
 *
 * @param title as of {@link Row#title}
 * @param bySeed what each seed gave, in the order of the seeds
 */
record Score(String title, List<Double> bySeed) {
    /** Keeps its own copy. */
    Score {
        bySeed = List.copyOf(bySeed);
    }

    double mean() {
        return bySeed.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** Standard deviation over the seeds. */
    double spread() {
        return Pairs.deviation(bySeed);
    }

    /** Whether it begins with all of {@code first}. */
    boolean begins(Score first) {
        return bySeed.subList(0, first.bySeed.size()).equals(first.bySeed);
    }

    /** The same with the figures of further seeds. */
    Score with(Score further) {
        return new Score(
                title, Stream.concat(bySeed.stream(), further.bySeed.stream()).toList());
    }

    /** For a file. */
    String line() {
        return title + "\t" + bySeed.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /**
     * Those of a file, by title.
     *
     * @throws IOException if it cannot be read
     */
    static Map<String, Score> read(Path file) throws IOException {
        Map<String, Score> scores = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split("\t", -1);
            scores.put(
                    parts[0],
                    new Score(
                            parts[0],
                            Arrays.stream(parts[1].split(" ", -1))
                                    .map(Double::valueOf)
                                    .toList()));
        }
        return scores;
    }
}
