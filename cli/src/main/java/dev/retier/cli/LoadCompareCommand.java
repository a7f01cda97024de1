package dev.retier.cli;

import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier load compare}. */
@Command(
        name = "compare",
        description = "Show the results of two or more runs side by side, each named after its file.",
        footer = {"", "Example: retier load compare rigid.json reconfigured.json --report page.html"})
final class LoadCompareCommand implements Callable<Integer> {
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
        List<NamedRun> runs = new ArrayList<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
            List<LoadResult> inFile = ResultFiles.read(file);
            inFile.forEach(run -> runs.add(new NamedRun(inFile.size() == 1 ? name : name + " " + run.site(), run)));
        }
        return results.publish(spec, runs).code();
    }
}
