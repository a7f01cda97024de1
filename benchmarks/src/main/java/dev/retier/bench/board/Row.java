package dev.retier.bench.board;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One situation that the decision must do well, on simulated servers by the shipped defaults. What is random in it
 * comes from the seed.
 *
 * @param name of the situation
 * @param why it is on the board, in a line
 * @param figures what is judged; more is better
 * @param play gives them, in that order
 */
record Row(String name, String why, List<Figure> figures, Play play) {
    /** Keeps its own copy. */
    Row {
        figures = List.copyOf(figures);
    }

    /** One that is judged by one figure. */
    static Row of(String name, String why, Figure figure, Single play) {
        return new Row(name, why, List.of(figure), seed -> new double[] {play.figure(seed)});
    }

    /**
     * What is judged.
     *
     * @param name with the unit
     * @param grain a change of the mean by less does not matter
     */
    record Figure(String name, double grain) {
        /** Of a throughput: of the one that the best split for each load would have at once and at no cost. */
        static final Figure OF_BEST = new Figure("of best", 0.005);

        /** Of the seconds in which a promise was kept. */
        static final Figure KEPT = new Figure("kept", 0.005);

        /** Of the requests that were answered within a second. */
        static final Figure IN_TIME = new Figure("in time", 0.002);

        /** Moves, counted downwards from none. */
        static final Figure MOVES = new Figure("moves, negative", 0.5);
    }

    /** Runs it. */
    @FunctionalInterface
    interface Play {
        /** Its figures for {@code seed}, in order. */
        double[] figures(long seed);
    }

    /** Runs one that has one figure. */
    @FunctionalInterface
    interface Single {
        /** Its figure for {@code seed}. */
        double figure(long seed);
    }

    /** The name of one of its figures on the board. */
    String title(int figure) {
        return figures.size() == 1 ? name : name + ", " + figures.get(figure).name();
    }

    /** The names of all its figures on the board. */
    List<String> titles() {
        return IntStream.range(0, figures.size()).mapToObj(this::title).toList();
    }

    /** Its figures for {@code seed}. */
    double[] run(long seed) {
        double[] seen = play.figures(seed);
        if (seen.length != figures.size() || Arrays.stream(seen).anyMatch(Double::isNaN)) {
            throw new IllegalStateException(name + " with seed " + seed + " gave " + Arrays.toString(seen));
        }
        return seen;
    }
}
