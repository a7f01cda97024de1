package dev.retier.cli.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The control groups of a lab, of version 1 or 2 as the machine has them: one per host, all below {@code retier-lab}.
 * They limit processors, and they tell which processes belong to the lab, whoever started them. Not thread-safe.
 */
final class ControlGroups {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String LAB = "retier-lab";
    private static final String PROCESSES = "cgroup.procs";
    private static final String SUBTREE_CONTROL = "cgroup.subtree_control";
    private static final int PERCENT = 100;

    /** The hierarchies in which each group is made; the first has the processor quota. */
    private final List<Path> hierarchies;

    private final boolean isUnified;

    private ControlGroups(List<Path> hierarchies, boolean isUnified) {
        this.hierarchies = hierarchies;
        this.isUnified = isUnified;
    }

    /** As this machine has them. Refuses one without a processor controller. */
    static ControlGroups find() {
        Path controllers = ROOT.resolve("cgroup.controllers");
        if (Files.exists(controllers)) {
            if (!read(controllers).matches("(.* )?cpu( .*)?")) {
                throw new LabException("version 2 of control groups has no processor controller here (" + controllers
                        + "): the kernel has none, or a mount of version 1 holds it");
            }
            return new ControlGroups(List.of(ROOT), true);
        }
        Path cpu = ROOT.resolve("cpu");
        Path accounting = ROOT.resolve("cpuacct");
        if (!Files.isDirectory(cpu)) {
            throw new LabException("this machine has no control groups for processors below " + ROOT
                    + "; mount cgroup2, or version 1's cpu and cpuacct");
        }
        boolean isTogether = isSame(cpu, accounting);
        return new ControlGroups(isTogether ? List.of(cpu) : List.of(cpu, accounting), false);
    }

    private static boolean isSame(Path cpu, Path accounting) {
        try {
            return !Files.exists(accounting) || Files.isSameFile(cpu, accounting);
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes the group of a host; with a quota if it is a node. */
    void create(String host) {
        for (Path hierarchy : hierarchies) {
            make(hierarchy.resolve(LAB).resolve(host));
        }
        if (isUnified) {
            write(ROOT.resolve(SUBTREE_CONTROL), "+cpu");
            write(ROOT.resolve(LAB).resolve(SUBTREE_CONTROL), "+cpu");
        }
    }

    /** Limits a host to a share of one processor. */
    void limit(String host, int percent, Duration period) {
        long periodMicros = period.toNanos() / 1_000;
        long quotaMicros = periodMicros * percent / PERCENT;
        Path group = hierarchies.getFirst().resolve(LAB).resolve(host);
        if (isUnified) {
            write(group.resolve("cpu.max"), quotaMicros + " " + periodMicros);
        } else {
            write(group.resolve("cpu.cfs_period_us"), Long.toString(periodMicros));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
        }
    }

    /** The files into which a process writes its number to join a host's group. */
    List<Path> joining(String host) {
        return hierarchies.stream()
                .map(hierarchy -> hierarchy.resolve(LAB).resolve(host).resolve(PROCESSES))
                .toList();
    }

    /** The hosts that have a group now. */
    List<String> hosts() {
        Path lab = hierarchies.getFirst().resolve(LAB);
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(lab, Files::isDirectory)) {
            groups.forEach(group -> found.add(String.valueOf(group.getFileName())));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new LabException(lab + " cannot be read: " + e.getMessage(), e);
        }
        return found.stream().sorted().toList();
    }

    /** The processes in a host's group now. */
    List<Long> processes(String host) {
        Path file = hierarchies.getFirst().resolve(LAB).resolve(host).resolve(PROCESSES);
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(Long::valueOf).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new LabException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Removes a host's group, which has no process any more. */
    void remove(String host) {
        hierarchies.forEach(hierarchy -> delete(hierarchy.resolve(LAB).resolve(host)));
    }

    /** Removes the lab's own group, when all hosts' are gone. */
    void removeAll() {
        hierarchies.forEach(hierarchy -> delete(hierarchy.resolve(LAB)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new LabException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void make(Path group) {
        try {
            Files.createDirectories(group);
        } catch (IOException e) {
            throw new LabException("control group " + group + " cannot be made: " + e.getMessage() + "; be root", e);
        }
    }

    private static void write(Path file, String value) {
        try {
            Files.writeString(file, value);
        } catch (IOException e) {
            throw new LabException(file + " cannot be set to '" + value + "': " + e.getMessage(), e);
        }
    }

    private static void delete(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            throw new LabException("control group " + group + " cannot be removed: " + e.getMessage(), e);
        }
    }
}
