package dev.retier.bench.board;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs of the board, each in a virtual machine of its own. Not thread-safe. */
final class BoardRuns {
    private static final Duration LIMIT = Duration.ofHours(1);

    private final Path folder;
    private final List<Row> rows;
    private final Board.Seeds seeds;
    private final int threads;
    private int number;

    /**
     * Of these rows.
     *
     * @throws IOException if there is no place for files
     */
    BoardRuns(List<Row> rows, Board.Seeds seeds, int threads) throws IOException {
        this.folder = Launched.emptyWorkFolder("board");
        this.rows = rows;
        this.seeds = seeds;
        this.threads = threads;
    }

    /**
     * By the decision as it is, by title.
     *
     * @throws IOException if it fails
     */
    Map<String, Score> shipped() throws IOException {
        return run("", base(), "");
    }

    private Path base() {
        return folder.resolve("shipped.txt");
    }

    /**
     * By {@code variant}, by title: what it touches of {@link #shipped}, which was run before.
     *
     * @throws IOException if it cannot be compiled, or fails
     */
    Map<String, Score> of(Variant variant) throws IOException {
        Path classes = folder.resolve("variant-" + ++number);
        VariantBuild.compile(variant, Launched.root(), classes);
        return run(classes + File.pathSeparator, folder.resolve("variant-" + number + ".txt"), base().toString());
    }

    private Map<String, Score> run(String before, Path scores, String compared) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                before + System.getProperty("java.class.path"),
                BoardMain.class.getName(),
                scores.toString(),
                Long.toString(seeds.first()),
                Integer.toString(seeds.count()),
                Integer.toString(threads),
                rows.stream().map(Row::name).collect(Collectors.joining(BoardMain.SEPARATOR))));
        if (!compared.isEmpty()) {
            command.add(compared);
        }
        Path log = folder.resolve("board.log");
        Files.deleteIfExists(scores);
        ChildProcess.run(command, folder, log, LIMIT, _ -> {});
        return Score.read(scores);
    }
}
