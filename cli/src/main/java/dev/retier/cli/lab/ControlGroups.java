package dev.retier.cli.lab;

import dev.retier.cli.lab.plan.NodeGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The control groups of a lab, of version 1 or 2 as the machine has them: one per host and those within it, named by
 * their paths below {@code retier-lab}. They limit processors, and they tell which processes belong to the lab, whoever
 * started them. Not thread-safe.
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

    /** Makes a group, and those that it is in. */
    void create(String group) {
        for (Path hierarchy : hierarchies) {
            make(hierarchy.resolve(LAB).resolve(group));
        }
        if (isUnified) {
            Path lab = ROOT.resolve(LAB);
            write(ROOT.resolve(SUBTREE_CONTROL), "+cpu");
            for (Path outer = lab.resolve(group).getParent();
                    outer != null && outer.startsWith(lab);
                    outer = outer.getParent()) {
                write(outer.resolve(SUBTREE_CONTROL), "+cpu");
            }
        }
    }

    /** Holds a group to its share of one processor; without bursts where the kernel has none (before Linux 5.14). */
    void limit(NodeGroups.Limit limit) {
        long periodMicros = limit.period().toNanos() / 1_000;
        long quotaMicros = periodMicros * limit.percent() / PERCENT;
        Path group = hierarchies.getFirst().resolve(LAB).resolve(limit.group());
        if (isUnified) {
            write(group.resolve("cpu.max"), quotaMicros + " " + periodMicros);
        } else {
            write(group.resolve("cpu.cfs_period_us"), Long.toString(periodMicros));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
        }
        Path burst = group.resolve(isUnified ? "cpu.max.burst" : "cpu.cfs_burst_us");
        if (Files.exists(burst)) {
            write(burst, Long.toString(periodMicros * limit.burst() / PERCENT));
        }
    }

    /** The files into which a process writes its number to join a group. */
    List<Path> joining(String group) {
        return hierarchies.stream()
                .map(hierarchy -> hierarchy.resolve(LAB).resolve(group).resolve(PROCESSES))
                .toList();
    }

    /** The groups that there are now, each before those within it. */
    List<String> names() {
        Path lab = hierarchies.getFirst().resolve(LAB);
        try (Stream<Path> folders = Files.walk(lab)) {
            return folders.filter(folder -> !folder.equals(lab) && Files.isDirectory(folder))
                    .map(folder -> lab.relativize(folder).toString())
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            throw new LabException(lab + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The processes in a group now, but for those in groups within it. */
    List<Long> processes(String group) {
        Path file = hierarchies.getFirst().resolve(LAB).resolve(group).resolve(PROCESSES);
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(Long::valueOf).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new LabException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Removes all groups, which have no process any more. */
    void removeAll() {
        for (String name : names().reversed()) {
            hierarchies.forEach(hierarchy -> delete(hierarchy.resolve(LAB).resolve(name)));
        }
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
