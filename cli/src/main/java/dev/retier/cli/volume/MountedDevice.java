package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Shell;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A volume as a block device, whose file system is to be mounted. */
final class MountedDevice {
    /** blkid's, when it finds nothing. */
    private static final int NOTHING = 2;

    private static final String EXT4 = "ext4";

    private final VolumeName name;
    private final Contents contents;
    private final String device;

    /** {@code device} is the volume of that name, which has those contents. */
    MountedDevice(VolumeName name, Contents contents, String device) {
        this.name = name;
        this.contents = contents;
        this.device = device;
    }

    /** What its server knows of a volume. */
    interface Contents {
        /** Whether all of it reads as zeros, as nothing is kept. */
        boolean areNone() throws IOException;
    }

    /**
     * Makes a file system where there is none, if it is to be made. What was there is lost by {@code isOver} alone.
     */
    void prepare(boolean isToBeMade, boolean isOver) throws IOException, InterruptedException {
        if (isOver) {
            make();
            return;
        }
        Shell.Ended found = Shell.ended(List.of("blkid", "--probe", "--output", "export", device));
        if (found.code() != NOTHING) {
            requireExt4(found);
        } else if (!isToBeMade) {
            throw new CommandFailure(ExitCode.FAILED, name + " has no file system: --mkfs makes one (ext4)");
        } else if (!contents.areNone()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    name + " has no file system that is known, but something was written to it;"
                            + " --mkfs-over makes one, and loses that");
        } else {
            make();
        }
    }

    private void requireExt4(Shell.Ended found) {
        String type = value(found, "TYPE");
        if (!type.equals(EXT4)) {
            String what = type.isEmpty() && found.code() == 0 ? "partitions (" + value(found, "PTTYPE") + ")" : type;
            throw new CommandFailure(
                    ExitCode.FAILED,
                    name + " has " + (what.isEmpty() ? "what may be several file systems" : what)
                            + " on it, not ext4; `retier volume attach` it and mount it by hand, or lose it by"
                            + " --mkfs-over");
        }
    }

    private static String value(Shell.Ended found, String key) {
        return found.output()
                .lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .findFirst()
                .orElse("");
    }

    private void make() throws InterruptedException {
        Shell.run(List.of("mkfs.ext4", "-q", "-F", device), Mounts.LONG);
    }

    void mountOn(Path folder) throws InterruptedException {
        Shell.run(List.of("mount", "-t", EXT4, device, folder.toString()), Mounts.LONG);
    }
}
