package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume unmount}. */
@Command(
        name = "unmount",
        description = {
            "End a mount: all is on the server's disk then, or it says why not. What a crash of one has left is taken"
                    + " away."
        })
final class UnmountCommand implements Callable<Integer> {
    private static final String LOST = "what programs wrote and did not sync by then may be lost";

    @Parameters(paramLabel = "FOLDER", description = "On which the volume is mounted.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(names = "--force", description = "Also while programs use it: what they write from then on is lost.")
    private boolean isByForce;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Mounts mounts = Mounts.on(folder)
                .orElseThrow(
                        () -> new CommandFailure(ExitCode.FAILED, "no volume is mounted on " + folder + " by retier"));
        Optional<ProcessHandle> process = mounts.process();
        if (process.isPresent()) {
            if (!isByForce) {
                unmount();
            }
            process.get().destroy();
            try {
                process.get().onExit().get(Mounts.LONG.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                throw new CommandFailure(
                        ExitCode.TIMED_OUT,
                        "process " + process.get().pid() + " has not ended in " + Mounts.LONG.toSeconds()
                                + " s: does the server answer?",
                        e);
            }
        }
        Mounts.Left left = mounts.clear();
        if (left.word().isPresent()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "it is unmounted; the mount ended so: " + left.word().get());
        }
        if (left.hasCrashed() && process.isPresent()) {
            throw new CommandFailure(ExitCode.FAILED, "it is unmounted, but while it was the mount crashed: " + LOST);
        }
        if (left.hasCrashed()) {
            spec.commandLine().getErr().println("the mount had crashed: " + LOST);
        }
        return ExitCode.OK.code();
    }

    /** Refuses while it is in use. */
    private void unmount() throws IOException, InterruptedException {
        Shell.Ended ended = Shell.ended(List.of("umount", folder.toString()), Mounts.LONG);
        boolean isMounted = ended.code() != 0
                && Shell.ended(List.of("mountpoint", "-q", folder.toString())).code() == 0;
        if (isMounted && ended.output().contains("busy")) {
            List<String> users = FolderUsers.of(folder.toRealPath());
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    folder + " is in use by " + (users.isEmpty() ? "another mount" : String.join(", ", users))
                            + ": end that first, or --force it");
        }
        if (isMounted) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    folder + " could not be unmounted; --force it? "
                            + ended.output().strip());
        }
    }
}
