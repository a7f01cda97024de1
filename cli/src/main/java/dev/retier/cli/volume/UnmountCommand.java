package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code retier volume unmount}. */
@Command(
        name = "unmount",
        description = "End a mount, or take away what a crash of one has left; all is on the server's disk then.")
final class UnmountCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Parameters(paramLabel = "FOLDER", description = "On which the volume is mounted.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Mounts mounts = Mounts.on(folder)
                .orElseThrow(
                        () -> new CommandFailure(ExitCode.FAILED, "no volume is mounted on " + folder + " by retier"));
        Optional<ProcessHandle> process = mounts.process();
        if (process.isPresent()) {
            process.get().destroy();
            try {
                process.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                throw new CommandFailure(
                        ExitCode.TIMED_OUT,
                        "process " + process.get().pid() + " has not ended in " + PATIENCE.toSeconds()
                                + " s: does the server answer?",
                        e);
            }
        }
        mounts.undo();
        return ExitCode.OK.code();
    }
}
