package dev.retier.cli.load;

import dev.retier.cli.CommandFailure;
import dev.retier.load.report.NamedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that makes something of the results in files and publishes it. */
abstract class ResultsCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Results, written with --json or -o json.")
    private List<Path> files = List.of();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** What to publish; {@link CommandFailure} for files that cannot be read or do not fit together. */
    abstract List<NamedRun> runs(List<Path> resultFiles);

    @Override
    public final Integer call() throws IOException {
        results.requireWritable();
        return results.publish(spec, runs(files)).code();
    }
}
