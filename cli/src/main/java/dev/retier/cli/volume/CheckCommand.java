package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.JournalCut;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume check}. */
@Command(
        name = "check",
        description = "Look at a pool that no server has, all its blocks included, and change nothing.",
        footer = {
            "",
            "Exit code 0 if all is as it was written, 1 if something is not; what a crash leaves is no damage.",
            "A server opens no pool of whose journal something is broken that was on the disk. Without a copy of the",
            "pool to bring it back from, --cut-journal says what comes behind, and with --yes gives that up: volumes",
            "have what they had before it, who wrote to one has it no more, and what is cut off stays in files beside."
        })
final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The folder of the pool: `directory` of the server's file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(names = "--cut-journal", description = "Where the journal is broken: say what lies behind that place.")
    private boolean isCut;

    @Option(names = "--yes", description = "With --cut-journal: give that up.")
    private boolean isSure;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.errorsOnly();
        if (isSure && !isCut) {
            throw new ParameterException(spec.commandLine(), "--yes is for --cut-journal");
        }
        try {
            return isCut ? cut() : check();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, PoolFile.reason(e), e);
        }
    }

    private int check() throws IOException {
        Percent progress = new Percent(spec, "checked");
        List<Finding> findings;
        try (FolderDisk disk = FolderDisk.openToRead(folder)) {
            findings = PoolCheck.of(disk, progress::at);
        }
        print(findings);
        boolean isGood = findings.stream().noneMatch(finding -> finding.kind() == Kind.DAMAGE);
        return (isGood ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private int cut() throws IOException {
        try (FolderDisk disk = isSure ? FolderDisk.open(folder) : FolderDisk.openToRead(folder);
                JournalCut cut = JournalCut.of(disk)) {
            print(cut.findings());
            if (!isSure) {
                throw new CommandFailure(ExitCode.REFUSED, "nothing was changed: say --yes to give up what is lost");
            }
            List<String> kept = cut.make();
            spec.commandLine()
                    .getErr()
                    .println("it is given up, and the server can be started; what was cut off is in "
                            + (kept.isEmpty() ? "no file" : String.join(", ", kept)) + " of " + folder);
            spec.commandLine().getErr().flush();
        }
        return ExitCode.OK.code();
    }

    private void print(List<Finding> findings) {
        Table table = new Table("kind", "where", "finding");
        for (Finding finding : findings) {
            table.row(finding.kind().name().toLowerCase(Locale.ROOT), finding.where(), finding.what());
        }
        output.print(spec, table);
    }
}
