package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Shell;
import dev.retier.config.SizeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
            "wait. What a crash of this command leaves the next mount takes away, and so does unmount."
        })
final class MountCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @Mixin
    private AttachOptions options = new AttachOptions();

    @Parameters(index = "1", paramLabel = "FOLDER", description = "Where to mount it; it is there.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(names = "--mkfs", description = "Make a file system when the volume has none.")
    private boolean isToBeMade;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireMachine();
        Mounts mounts = Mounts.of(options.name());
        mounts.begin(folder);
        try {
            options.serve(mounts.socket(), (volume, uri, asked) -> {
                // In a session of its own: an interrupt of the terminal must not end it before it is unmounted.
                Process fuse = new ProcessBuilder(
                                "setsid", "nbdfuse", mounts.file().toString(), uri)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try {
                    mount(mounts, fuse);
                    spec.commandLine()
                            .getOut()
                            .println(options.name() + " (" + SizeText.print(volume.bytes()) + ") is mounted on "
                                    + folder + "; `retier volume unmount " + folder + "` ends that");
                    spec.commandLine().getOut().flush();
                    await(fuse, asked);
                } finally {
                    mounts.undo();
                    if (!fuse.waitFor(LOOK_MILLIS * 100, TimeUnit.MILLISECONDS)) {
                        fuse.destroy();
                    }
                }
            });
        } finally {
            mounts.undo();
        }
        return ExitCode.OK.code();
    }

    private void requireMachine() throws IOException {
        for (String needed : List.of("/dev/fuse", "/dev/loop-control")) {
            if (!Files.isWritable(Path.of(needed))) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "mount needs " + needed + " and the right to use it: Linux, as root, with that module");
            }
        }
        if (!Files.isDirectory(folder)) {
            throw new CommandFailure(ExitCode.FAILED, folder + " is no folder; make it first");
        }
    }

    private void mount(Mounts mounts, Process fuse) throws IOException, InterruptedException {
        awaitFile(mounts.file(), fuse);
        String device = Shell.run(List.of(
                        "losetup",
                        "--direct-io=on",
                        "--find",
                        "--show",
                        mounts.file().toString()))
                .strip();
        // 2: nothing is known of what is on it.
        Shell.Ended kind = Shell.ended(List.of("blkid", "--probe", "--output", "value", "--match-tag", "TYPE", device));
        if (kind.output().isBlank()) {
            if (!isToBeMade) {
                throw new CommandFailure(
                        ExitCode.FAILED, options.name() + " has no file system: --mkfs makes one (ext4)");
            }
            Shell.run(List.of("mkfs.ext4", "-q", "-F", device));
        } else if (!kind.output().strip().equals("ext4")) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    options.name() + " has " + kind.output().strip() + " on it, not ext4; `retier"
                            + " volume attach` it and mount it by hand");
        }
        Shell.run(List.of("mount", "-t", "ext4", device, folder.toString()));
    }

    private static void awaitFile(Path file, Process fuse) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!Files.exists(file)) {
            if (fuse.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - endNanos > 0) {
                throw new CommandFailure(ExitCode.FAILED, "nbdfuse did not make " + file + ": is FUSE there?");
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
