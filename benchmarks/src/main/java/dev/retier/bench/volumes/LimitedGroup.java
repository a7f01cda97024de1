package dev.retier.bench.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A control group whose processes have so much memory, what the kernel keeps of files for them included, and so much of
 * a disk (cgroups(7), version 1 or 2; Linux, as root). Not thread-safe.
 */
final class LimitedGroup implements AutoCloseable {
    /** Where the system has them. */
    static final Path SYSTEM = Path.of("/sys/fs/cgroup");

    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final int MINOR_BITS = 8;
    private static final int MAJOR_MASK = 0xfff;
    private static final int LOW_MINOR = 0xff;
    private static final int HIGH_MINOR_SHIFT = 12;

    private final boolean isUnified;
    private final Path memory;
    private final Path disk;

    /** The system has none, or does not let us; the message says what it answered. */
    static final class Unavailable extends IOException {
        private static final long serialVersionUID = 1;

        Unavailable(String message) {
            super(message);
        }

        Unavailable(Path refused, IOException cause) {
            super(refused + ": " + cause.getMessage(), cause);
        }
    }

    private LimitedGroup(boolean isUnified, Path memory, Path disk) {
        this.isUnified = isUnified;
        this.memory = memory;
        this.disk = disk;
    }

    /**
     * Makes one.
     *
     * @param root {@link #SYSTEM}
     * @throws Unavailable if there is no way to
     */
    static LimitedGroup make(Path root, String name) throws Unavailable {
        try {
            return made(root, name);
        } catch (Unavailable known) {
            throw known;
        } catch (IOException refused) {
            throw new Unavailable(root.resolve(name), refused);
        }
    }

    private static LimitedGroup made(Path root, String name) throws IOException {
        if (Files.exists(root.resolve("cgroup.controllers"))) {
            Files.writeString(root.resolve("cgroup.subtree_control"), "+memory +io");
            Path both = fresh(root.resolve(name));
            return new LimitedGroup(true, both, both);
        }
        for (String controller : List.of("memory", "blkio")) {
            if (!Files.isDirectory(root.resolve(controller))) {
                throw new Unavailable("no control groups for " + controller + " below " + root
                        + ": mount cgroup2, or version 1's memory and blkio");
            }
        }
        Path memory = fresh(root.resolve("memory").resolve(name));
        try {
            return new LimitedGroup(false, memory, fresh(root.resolve("blkio").resolve(name)));
        } catch (IOException refused) {
            Files.delete(memory);
            throw refused;
        }
    }

    /** In the place of one that a run before has left. */
    private static Path fresh(Path group) throws IOException {
        Files.deleteIfExists(group);
        return Files.createDirectory(group);
    }

    /** The number of the disk on which a folder is, as {@code 8:0}: of the whole disk, where it is a part of one. */
    static String device(Path folder) throws IOException {
        long number = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        long minor = (number & LOW_MINOR) | ((number >> HIGH_MINOR_SHIFT) & ~LOW_MINOR);
        Path device = DEVICES.resolve(((number >> MINOR_BITS) & MAJOR_MASK) + ":" + minor);
        if (!Files.exists(device)) {
            throw new Unavailable(folder + " is on no disk of its own, which could be limited (" + device + ")");
        }
        Path real = device.toRealPath();
        Path whole = Files.exists(real.resolve("partition")) ? real.resolveSibling("dev") : real.resolve("dev");
        return Files.readString(whole).strip();
    }

    /** From now on. What is too much is given back first. */
    void limitMemory(long bytes) throws Unavailable {
        String file = isUnified ? "memory.max" : "memory.limit_in_bytes";
        write(memory.resolve(file), Long.toString(bytes));
    }

    /** From now on, of reads and of writes each; in version 1 not of what the kernel writes later by itself. */
    void limitDisk(String device, long bytesPerSecond, long requestsPerSecond) throws Unavailable {
        if (isUnified) {
            write(
                    disk.resolve("io.max"),
                    "%s rbps=%d wbps=%d riops=%d wiops=%d"
                            .formatted(device, bytesPerSecond, bytesPerSecond, requestsPerSecond, requestsPerSecond));
            return;
        }
        for (String direction : List.of("read", "write")) {
            Path file = disk.resolve("blkio.throttle." + direction + "_bps_device");
            write(file, device + " " + bytesPerSecond);
            write(disk.resolve("blkio.throttle." + direction + "_iops_device"), device + " " + requestsPerSecond);
        }
    }

    private static void write(Path file, String text) throws Unavailable {
        try {
            Files.writeString(file, text);
        } catch (IOException refused) {
            throw new Unavailable(file, refused);
        }
    }

    /** The command that runs {@code command} in it, as the same process. */
    List<String> command(List<String> command) {
        List<String> inside = new ArrayList<>(List.of(
                "sh",
                "-c",
                "echo $$ >\"$0/cgroup.procs\" && echo $$ >\"$1/cgroup.procs\" && shift && exec \"$@\"",
                memory.toString(),
                disk.toString()));
        inside.addAll(command);
        return inside;
    }

    /** Takes it away, when its processes have ended. */
    @Override
    public void close() throws IOException {
        Files.delete(memory);
        if (!isUnified) {
            Files.delete(disk);
        }
    }
}
