package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a mount needs of its machine; all that is missing is told at once. Stateless. */
final class MountNeeds {
    /** Devices, and the kernel's modules that make them. */
    private static final Map<String, String> DEVICES =
            new TreeMap<>(Map.of("/dev/fuse", "fuse", "/dev/loop-control", "loop"));

    /** Programs, and Debian's packages that have them. */
    private static final Map<String, String> PROGRAMS = new TreeMap<>(Map.of(
            "blkid", "util-linux",
            "findmnt", "util-linux",
            "setsid", "util-linux",
            "losetup", "mount",
            "fusermount3", "fuse3",
            "nbdfuse", "libnbd-bin",
            "mkfs.ext4", "e2fsprogs"));

    private MountNeeds() {}

    /** Refuses a machine on which nothing can be mounted. */
    static void requireMachine() {
        List<String> missing = new ArrayList<>();
        PROGRAMS.forEach((program, of) -> {
            if (!isInstalled(program)) {
                missing.add("mount needs the program " + program + ": install " + of);
            }
        });
        DEVICES.forEach((device, module) -> {
            if (!Files.exists(Path.of(device))) {
                missing.add("mount needs " + device + ", of Linux's module " + module + ": modprobe " + module);
            } else if (!Files.isWritable(Path.of(device))) {
                missing.add("mount needs the right to use " + device + ": run it as root");
            }
        });
        if (!missing.isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, String.join("\n", missing));
        }
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Refuses what is no folder, is another's mount, or has something in it that would be hidden. */
    static void requireFolder(Path folder) throws IOException, InterruptedException {
        Shell.Ended mounted =
                Shell.ended(List.of("findmnt", "-n", "-o", "SOURCE,FSTYPE", "--mountpoint", folder.toString()));
        if (mounted.code() == 0) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    folder + " has " + mounted.output().strip().replaceAll("\\s+", " ")
                            + " mounted on it; unmount that, or name another folder");
        }
        if (!Files.isDirectory(folder)) {
            throw new CommandFailure(ExitCode.FAILED, folder + " is no folder; make it first");
        }
        try (Stream<Path> found = Files.list(folder)) {
            if (found.findAny().isPresent()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        folder + " is not empty, and what is in it would be hidden; empty it, or name another folder");
            }
        }
    }
}
