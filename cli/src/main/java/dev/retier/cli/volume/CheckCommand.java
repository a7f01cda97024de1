package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.PoolCheck;
import dev.retier.volume.disk.PoolCheck.Finding;
import dev.retier.volume.disk.PoolCheck.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume check}. */
@Command(
        name = "check",
        description = "Look at a pool that no server has, all its blocks included, and change nothing.",
        footer = {
            "",
            "Exit code 0 if all is as it was written, 1 if something is not; what a crash leaves is no damage."
        })
final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The folder of the pool: `directory` of the server's file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.errorsOnly();
        Percent progress = new Percent(spec, "checked");
        List<Finding> findings;
        try (FolderDisk disk = FolderDisk.openToRead(folder)) {
            findings = PoolCheck.of(disk, progress::at);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
        Table table = new Table("kind", "where", "finding");
        for (Finding finding : findings) {
            table.row(finding.kind().name().toLowerCase(Locale.ROOT), finding.where(), finding.what());
        }
        output.print(spec, table);
        boolean isGood = findings.stream().noneMatch(finding -> finding.kind() == Kind.DAMAGE);
        return (isGood ? ExitCode.OK : ExitCode.FAILED).code();
    }
}
