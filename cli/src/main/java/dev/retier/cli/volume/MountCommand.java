package dev.retier.cli.volume;

import dev.retier.agent.server.WithheldVariables;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.Shell;
import dev.retier.config.SizeText;
import dev.retier.volume.Volume;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.gateway.SocketOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume mount}. */
@Command(
        name = "mount",
        description = "Mount a volume with a file system (ext4) on this machine; Linux, as root.",
        footer = {
            "",
            "The volume is a file by nbdfuse (libnbd), over it is a loop device, on that the file system. It stays",
            "mounted until `retier volume unmount` the folder, SIGTERM or SIGINT. While the server is away programs",
            "wait. What a crash of this command leaves the next mount takes away, and so does unmount.",
            "Exit code 4 if another machine has it, 3 if one has taken it: it is unmounted then, as a disk pulled out."
        })
final class MountCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @Mixin
    private AttachOptions options = new AttachOptions();

    @Parameters(index = "1", paramLabel = "FOLDER", description = "Where to mount it: an empty folder.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(names = "--mkfs", description = "Make a file system when nothing was ever written to the volume.")
    private boolean isToBeMade;

    @Option(names = "--mkfs-over", description = "Make a file system whatever is on the volume; that is lost.")
    private boolean isToBeMadeOver;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Programs may have written to it. */
    private volatile boolean isMounted;
    /** Why what programs wrote may not be on the server's disk. */
    private volatile Optional<String> lost = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isToBeMade && isToBeMadeOver) {
            throw new ParameterException(spec.commandLine(), "--mkfs or --mkfs-over, not both");
        }
        options.require();
        MountNeeds.requireMachine();
        Mounts mounts = Mounts.of(options.name());
        mounts.begin(options.server(), folder);
        try {
            options.serve(new Served.Socket(mounts.socket(), SocketOwner.SELF), (volume, uri, asked) -> {
                // In a session of its own: an interrupt of the terminal must not end it before it is unmounted.
                ProcessBuilder builder = new ProcessBuilder(
                                "setsid", "nbdfuse", mounts.file().toString(), uri)
                        .redirectErrorStream(true)
                        .redirectOutput(mounts.log().toFile());
                WithheldVariables.removeFrom(builder.environment());
                Process fuse = builder.start();
                try {
                    mount(mounts, fuse, volume);
                    isMounted = true;
                    Logging.begun(
                            spec,
                            options.name() + " (" + SizeText.print(volume.bytes()) + ") is mounted on " + folder
                                    + "; `retier volume unmount " + folder + "` ends that");
                    await(fuse, asked);
                } finally {
                    mounts.release();
                    lost = volume.facts().lost();
                    if (!fuse.waitFor(LOOK_MILLIS * 100, TimeUnit.MILLISECONDS)) {
                        fuse.destroy();
                    }
                }
            });
        } catch (RuntimeException | Error failed) {
            lost = Optional.of(
                    failed instanceof CommandFailure ? String.valueOf(failed.getMessage()) : failed.toString());
            throw failed;
        } finally {
            mounts.end(isMounted ? lost : Optional.empty());
        }
        return ExitCode.OK.code();
    }

    private void mount(Mounts mounts, Process fuse, RemoteVolume volume) throws IOException, InterruptedException {
        awaitFile(mounts, fuse);
        String device = Shell.run(List.of(
                        "losetup",
                        "--direct-io=on",
                        "--find",
                        "--show",
                        mounts.file().toString()))
                .strip();
        MountedDevice mounted = new MountedDevice(
                options.name(),
                () -> volume.extents(0, volume.bytes()).stream().allMatch(Volume.Extent::isHole),
                device);
        mounted.prepare(isToBeMade, isToBeMadeOver);
        mounted.mountOn(folder);
    }

    private static void awaitFile(Mounts mounts, Process fuse) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!Files.exists(mounts.file())) {
            if (fuse.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - endNanos > 0) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "nbdfuse did not make " + mounts.file() + ": "
                                + Files.readString(mounts.log()).strip());
            }
        }
    }

    private static void await(Process fuse, CountDownLatch asked) throws InterruptedException {
        var _ = fuse.onExit().thenRun(asked::countDown);
        asked.await();
        if (!fuse.isAlive()) {
            throw new CommandFailure(ExitCode.FAILED, "nbdfuse has ended; it is unmounted");
        }
    }
}
