package dev.retier.cli.trace;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.options.SizeConverter;
import dev.retier.cli.options.WritableFile;
import dev.retier.config.IoReason;
import dev.retier.sim.blocks.BlockRequest;
import dev.retier.sim.blocks.CacheReplay;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier trace cache}. */
@Command(
        name = "cache",
        description = "Which share of a recorded volume's reads a volume server's block cache would have had, by its"
                + " size and by both policies.",
        footer = {
            "",
            "Example:",
            "  retier volume trace accounts --out blocks.csv --for 60s --config pool.yaml",
            "  retier trace cache blocks.csv --cache-bytes 64m,256m,1g --html cache.html"
        })
final class TraceCacheCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "What `retier volume trace` has recorded (CSV).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = "--cache-bytes",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "16m,64m,256m,1g",
            converter = SizeConverter.class,
            description = "As pool.yaml has it (default: ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with a chart that stands on its own.")
    private @Nullable Path html;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (html != null) {
            WritableFile.require("--html", html);
        }
        try {
            CacheReplay replay = new CacheReplay(sizes);
            replay(replay);
            if (html != null) {
                WritableFile.write(html, replay.html(String.valueOf(file.getFileName())));
            }
            output.print(spec, replay.table());
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(wrong.getMessage()), wrong);
        } catch (IOException failed) {
            throw new CommandFailure(ExitCode.FAILED, file + ": " + IoReason.of(failed), failed);
        }
        return ExitCode.OK.code();
    }

    private void replay(CacheReplay replay) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                BlockRequest.ofLine(line, String.valueOf(file), number).ifPresent(replay::request);
            }
        }
    }
}
