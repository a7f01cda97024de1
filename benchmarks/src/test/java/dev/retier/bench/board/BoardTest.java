package dev.retier.bench.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of the board that take least, with the shipped defaults: each must stay above its floor. */
class BoardTest {
    private static final Board.Seeds SEEDS = new Board.Seeds(1001, 2);
    private static final int THREADS = 2;

    private static List<Score> scores(String row) {
        List<Row> rows =
                Board.rows().stream().filter(each -> each.name().equals(row)).toList();
        assertThat(rows).as(row).hasSize(1);
        return Board.run(rows, SEEDS, THREADS);
    }

    /**
     * Floors are some 5 % below the least of these seeds on 2026-11-24, which is in the last column: raise them with
     * what they are the floor of.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    E3 0.5 s         | 0.58 | 0.615
                    E3 2 s           | 0.63 | 0.673
                    E3 8 s           | 0.83 | 0.882
                    lulls            | 0.83 | 0.883
                    from a bad split | 0.72 | 0.769
                    E8 8192          | 0.85 | 0.906
                    change places    | 250  | 267
                    both tiers       | 1060 | 1120
                    chain            | 180  | 192
                    lost members     | 0.79 | 0.84
                    """)
    void shouldBeAboveItsFloor(String row, double floor, double leastToday) {
        assertThat(floor).isLessThan(leastToday);
        assertThat(scores(row).getFirst().bySeed())
                .allSatisfy(figure -> assertThat(figure).isGreaterThanOrEqualTo(floor));
    }

    @ParameterizedTest
    @CsvSource({"quiet 2p+5a 50 % dynamic at 0.7", "quiet 2p+5a 50 % dynamic at 0.85", "quiet saturated"})
    void shouldMoveNothing_whenTheLoadIsQuiet(String row) {
        assertThat(scores(row).getFirst().bySeed()).containsOnly(0.0);
    }

    /** A name with the separator in it, or twice there, could not be asked for. */
    @Test
    void shouldHaveNamesThatCanBeAskedFor() {
        Set<String> names = Board.rows().stream().map(Row::name).collect(Collectors.toSet());
        Stream<String> titles = Board.rows().stream().flatMap(row -> row.titles().stream());

        assertThat(names).hasSameSizeAs(Board.rows()).noneMatch(name -> name.contains(BoardMain.SEPARATOR));
        assertThat(titles).doesNotHaveDuplicates().noneMatch(title -> title.contains("\t"));
    }
}
