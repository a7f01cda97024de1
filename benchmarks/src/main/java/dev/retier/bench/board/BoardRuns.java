package dev.retier.bench.board;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Digests;
import dev.retier.bench.Launched;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs of the board, each in a virtual machine of its own. What one gave is kept below the build's folder, by the
 * bytes of the classes that ran, so that a measurement that was ended goes on where it was. Not thread-safe.
 */
final class BoardRuns {
    private static final Duration LIMIT = Duration.ofHours(2);

    private final Path folder;
    private final String product;
    private final List<Row> rows;
    private final Board.Seeds seeds;
    private final int threads;

    /**
     * Of these rows.
     *
     * @throws IOException if there is no place for files, or the classes cannot be read
     */
    BoardRuns(List<Row> rows, Board.Seeds seeds, int threads) throws IOException {
        this.folder = Launched.workFolder("ablation");
        this.rows = rows;
        this.seeds = seeds;
        this.threads = threads;
        this.product = Digests.ofClassPath(classPath().split(File.pathSeparator, -1));
    }

    /**
     * By the decision as it is, by title.
     *
     * @throws IOException if it fails
     */
    Map<String, Score> shipped() throws IOException {
        Path kept = kept("");
        if (!Files.exists(kept)) {
            run("", kept, "");
        }
        return Score.read(kept);
    }

    /**
     * By {@code variant}, by title: what it touches of {@link #shipped}, which was run before.
     *
     * @throws IOException if it cannot be compiled, or fails
     */
    Map<String, Score> of(Variant variant) throws IOException {
        Path kept = kept(variant.edits().toString());
        if (!Files.exists(kept)) {
            Path classes = Launched.emptyWorkFolder("ablation/classes");
            VariantBuild.compile(variant, Launched.root(), classes);
            run(classes + File.pathSeparator, kept, kept("").toString());
        }
        return Score.read(kept);
    }

    /** Where the scores with {@code edits} are kept. */
    private Path kept(String edits) {
        String of = String.join("\n", product, names(), seeds.toString(), edits);
        return folder.resolve(Digests.of(of.getBytes(StandardCharsets.UTF_8)) + ".txt");
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private String names() {
        return rows.stream().map(Row::name).collect(Collectors.joining(BoardMain.SEPARATOR));
    }

    private void run(String before, Path scores, String compared) throws IOException {
        Path unfinished = folder.resolve("unfinished.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                before + classPath(),
                BoardMain.class.getName(),
                unfinished.toString(),
                Long.toString(seeds.first()),
                Integer.toString(seeds.count()),
                Integer.toString(threads),
                names()));
        if (!compared.isEmpty()) {
            command.add(compared);
        }
        ChildProcess.run(command, folder, folder.resolve("board.log"), LIMIT, _ -> {});
        Files.move(unfinished, scores, StandardCopyOption.REPLACE_EXISTING);
    }
}
