package dev.retier.bench.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Runs the board in a virtual machine of its own, with whatever decision is on its class path, and leaves the scores in
 * a file. Arguments: that file, first seed, seeds, threads, names of rows between separators, and, where
 * there is one, the file of the scores to compare with: rows whose first seeds come out as there, to the bit, are not
 * touched by what is different, and left out. Stateless.
 */
public final class BoardMain {
    /** So many seeds show whether a row is touched at all. */
    static final int SCREENED = 2;

    /** Between names of rows. */
    static final String SEPARATOR = "|";

    private BoardMain() {}

    /**
     * See the class.
     *
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String... arguments) throws IOException {
        List<String> wanted = List.of(arguments[4].split(Pattern.quote(SEPARATOR), -1));
        List<Row> rows =
                Board.rows().stream().filter(row -> wanted.contains(row.name())).toList();
        Board.Seeds seeds = new Board.Seeds(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        int threads = Integer.parseInt(arguments[3]);
        List<Score> scores = arguments.length > 5
                ? touched(rows, seeds, threads, Score.read(Path.of(arguments[5])))
                : Board.run(rows, seeds, threads);
        Files.write(Path.of(arguments[0]), scores.stream().map(Score::line).toList());
    }

    private static List<Score> touched(List<Row> rows, Board.Seeds seeds, int threads, Map<String, Score> base) {
        int screened = Math.min(SCREENED, seeds.count());
        List<Score> first = Board.run(rows, seeds.first(screened), threads);
        List<Row> touched = rows.stream()
                .filter(row -> first.stream()
                        .filter(score -> row.titles().contains(score.title()))
                        .anyMatch(score ->
                                !Objects.requireNonNull(base.get(score.title())).begins(score)))
                .toList();
        List<Score> rest = Board.run(touched, seeds.without(screened), threads);
        return rest.stream()
                .map(score -> first.stream()
                        .filter(begun -> begun.title().equals(score.title()))
                        .findFirst()
                        .orElseThrow()
                        .with(score))
                .toList();
    }
}
