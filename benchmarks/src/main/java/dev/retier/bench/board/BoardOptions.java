package dev.retier.bench.board;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which rows of the board are run, with which seeds. */
final class BoardOptions {
    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds, from 2 (default: ${DEFAULT-VALUE}).")
    private int seeds = 20;

    @Option(
            names = "--first-seed",
            paramLabel = "SEED",
            description = "The first of them; figures are tuned with seed 1 (default: ${DEFAULT-VALUE}).")
    private long firstSeed = 1001;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "WORD",
            description = "Only rows with this in their name, such as E3 (default: all).")
    private List<String> wanted = List.of();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Seeds that run at the same time (default: one per processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec measurement;

    Board.Seeds seeds() {
        if (seeds < 2) {
            throw new ParameterException(measurement.commandLine(), "--seeds must be at least 2");
        }
        return new Board.Seeds(firstSeed, seeds);
    }

    int threads() {
        if (threads < 1) {
            throw new ParameterException(measurement.commandLine(), "--threads must be at least 1");
        }
        return threads;
    }

    List<Row> rows() {
        List<Row> rows = Board.rows().stream()
                .filter(row -> wanted.isEmpty() || wanted.stream().anyMatch(row.name()::contains))
                .toList();
        if (rows.isEmpty()) {
            throw new ParameterException(
                    measurement.commandLine(),
                    "--rows: there are " + Board.rows().stream().map(Row::name).toList());
        }
        return rows;
    }
}
