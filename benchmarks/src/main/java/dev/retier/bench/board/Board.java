package dev.retier.bench.board;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** All rows, and how they are run. What has no row is given one, or goes. Stateless. */
final class Board {
    private Board() {}

    /** In the order in which they are shown. */
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>(BurstRows.all());
        rows.addAll(PromiseRows.all());
        rows.addAll(ShapeRows.all());
        rows.addAll(QuietRows.all());
        return List.copyOf(rows);
    }

    /** So many seeds from the first on. */
    record Seeds(long first, int count) {
        Seeds first(int most) {
            return new Seeds(first, most);
        }

        Seeds without(int skipped) {
            return new Seeds(first + skipped, count - skipped);
        }
    }

    /** The scores of {@code rows}, by so many threads. */
    static List<Score> run(List<Row> rows, Seeds seeds, int threads) {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<List<Future<double[]>>> running = rows.stream()
                    .map(row -> LongStream.range(seeds.first, seeds.first + seeds.count)
                            .mapToObj(seed -> pool.submit(() -> row.run(seed)))
                            .toList())
                    .toList();
            List<Score> scores = new ArrayList<>();
            for (int row = 0; row < rows.size(); row++) {
                scores.addAll(scores(rows.get(row), running.get(row)));
            }
            return scores;
        }
    }

    private static List<Score> scores(Row row, List<Future<double[]>> running) {
        List<double[]> seen = running.stream().map(Board::get).toList();
        List<Score> scores = new ArrayList<>();
        for (int figure = 0; figure < row.figures().size(); figure++) {
            int index = figure;
            scores.add(new Score(
                    row.title(figure),
                    seen.stream().map(figures -> figures[index]).toList()));
        }
        return scores;
    }

    private static double[] get(Future<double[]> running) {
        try {
            return running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a row failed", e.getCause());
        }
    }
}
