package dev.retier.cli;

import dev.retier.cli.options.OutputOption;
import dev.retier.config.Version;
import dev.retier.report.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier version}. */
@Command(name = "version", description = "Print the version of retier and of the Java that runs it.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Table table = new Table("name", "version")
                .row("retier", Version.current())
                .row("java", Runtime.version().toString());
        output.print(spec, table);
        return ExitCode.OK.code();
    }

    @Override
    public String[] getVersion() {
        return new String[] {"retier " + Version.current()};
    }
}
