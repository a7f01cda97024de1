package dev.retier.cli;

import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultMerge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier load merge}. */
@Command(
        name = "merge",
        description = "Add up the results of several generators that ran together: counts and histograms add exactly.",
        footer = {"", "Example: retier load merge one.json two.json --report page.html --fail-if 'failed>0'"})
final class LoadMergeCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Results, written with --json or -o json.")
    private List<Path> files = List.of();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        results.requireWritable();
        Map<String, List<LoadResult>> bySite = new LinkedHashMap<>();
        for (Path file : files) {
            for (LoadResult part : ResultFiles.read(file)) {
                bySite.computeIfAbsent(part.site(), _ -> new ArrayList<>()).add(part);
            }
        }
        try {
            List<LoadResult> merged =
                    bySite.values().stream().map(ResultMerge::merge).toList();
            return results.publish(spec, NamedRun.bySite(merged)).code();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
