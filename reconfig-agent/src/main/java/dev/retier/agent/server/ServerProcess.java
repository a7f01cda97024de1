package dev.retier.agent.server;

import dev.retier.agent.config.ServerControl;
import dev.retier.agent.status.CpuText;
import dev.retier.agent.status.CpuText.ProcessTicks;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The processes of a server, as Linux shows them: whether its parent lives, and the processor time that it and its
 * children have used. Where the parent is in a control group of its own, that group's figures count; else the sum over
 * its processes. Not thread-safe.
 */
final class ServerProcess {
    private static final Path PROC = Path.of("/proc");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    /** Linux reports ticks of this length to user space on every architecture. */
    private static final double TICKS_PER_SECOND = 100;

    private static final long TREE_INTERVAL_NANOS = 1_000_000_000;

    private final ServerControl control;
    private List<Long> tree = List.of();
    private long treeAtNanos;

    ServerProcess(ServerControl control) {
        this.control = control;
    }

    /** The process id in the pid file, if that process lives. */
    OptionalLong pid() {
        try {
            String text = Files.readString(control.pidFile())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
            if (!text.matches("[1-9]\\d{0,9}")) {
                return OptionalLong.empty();
            }
            long pid = Long.parseLong(text);
            return isAlive(pid) ? OptionalLong.of(pid) : OptionalLong.empty();
        } catch (IOException e) {
            // No pid file: the server is not running.
            return OptionalLong.empty();
        }
    }

    /** Whether it is there and no zombie. */
    static boolean isAlive(long pid) {
        return read(PROC.resolve(pid + "/stat"))
                .filter(stat -> !stat.contains(") Z "))
                .isPresent();
    }

    /** Processor time used since some moment, and how much may be used; empty when the server is not running. */
    Optional<Usage> usage() {
        OptionalLong parent = pid();
        if (parent.isEmpty()) {
            return Optional.empty();
        }
        String groups = read(PROC.resolve(parent.getAsLong() + "/cgroup")).orElse("");
        double processors = limit(groups).orElse(Runtime.getRuntime().availableProcessors());
        OptionalDouble used = groupSeconds(groups);
        double seconds = used.isPresent() ? used.getAsDouble() : treeSeconds(parent.getAsLong());
        return Optional.of(new Usage(seconds, processors));
    }

    /**
     * Processor time.
     *
     * @param seconds used
     * @param processors how many may be used at the same time, above 0
     */
    record Usage(double seconds, double processors) {}

    /** Version 1 counts first: where both are mounted, a group of its own is where the processors are controlled. */
    private static OptionalDouble groupSeconds(String groups) {
        OptionalDouble old = ownGroup(groups, "cpuacct", CGROUPS.resolve("cpuacct"))
                .flatMap(path -> read(path.resolve("cpuacct.usage")))
                .map(CpuText::accountedSeconds)
                .orElse(OptionalDouble.empty());
        return old.isPresent()
                ? old
                : ownGroup(groups, "", unified())
                        .flatMap(path -> read(path.resolve("cpu.stat")))
                        .map(CpuText::usageSeconds)
                        .orElse(OptionalDouble.empty());
    }

    /** Where version 2 is: alone, or beside version 1. */
    private static Path unified() {
        return Files.exists(CGROUPS.resolve("cgroup.controllers")) ? CGROUPS : CGROUPS.resolve("unified");
    }

    /** A group of the server's own; the root group counts the whole machine. */
    private static Optional<Path> ownGroup(String groups, String controller, Path hierarchy) {
        return CpuText.cgroup(groups, controller)
                .filter(path -> !path.equals("/"))
                .map(path -> hierarchy.resolve(path.substring(1)))
                .filter(Files::isDirectory);
    }

    /** The scarcest of its group and of those around it. */
    private static OptionalDouble limit(String groups) {
        Optional<String> old = CpuText.cgroup(groups, "cpu");
        Path hierarchy = old.isPresent() ? CGROUPS.resolve("cpu") : unified();
        Path group = hierarchy.resolve(
                old.or(() -> CpuText.cgroup(groups, "")).orElse("/").substring(1));
        OptionalDouble scarcest = OptionalDouble.empty();
        for (Path at = group; at != null && at.startsWith(hierarchy); at = at.getParent()) {
            OptionalDouble here = old.isPresent() ? limitOfVersion1(at) : limitOfVersion2(at);
            if (here.isPresent() && (scarcest.isEmpty() || here.getAsDouble() < scarcest.getAsDouble())) {
                scarcest = here;
            }
        }
        return scarcest;
    }

    private static OptionalDouble limitOfVersion1(Path group) {
        Optional<String> quota = read(group.resolve("cpu.cfs_quota_us"));
        Optional<String> period = read(group.resolve("cpu.cfs_period_us"));
        return quota.isPresent() && period.isPresent()
                ? CpuText.limit(quota.get(), period.get())
                : OptionalDouble.empty();
    }

    private static OptionalDouble limitOfVersion2(Path group) {
        return read(group.resolve("cpu.max")).map(CpuText::limit).orElse(OptionalDouble.empty());
    }

    /** Who belongs to the server is looked up once a second; what each has used, every time. */
    private double treeSeconds(long parent) {
        long nowNanos = System.nanoTime();
        if (tree.isEmpty() || tree.getFirst() != parent || nowNanos - treeAtNanos >= TREE_INTERVAL_NANOS) {
            tree = tree(parent);
            treeAtNanos = nowNanos;
        }
        long ticks = 0;
        for (long pid : tree) {
            ticks += stat(pid).map(seen -> seen.own() + seen.reapedChildren()).orElse(0L);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static List<Long> tree(long parent) {
        Map<Long, List<Long>> children = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                stat(pid)
                        .ifPresent(seen -> children.computeIfAbsent(seen.parent(), _ -> new ArrayList<>())
                                .add(pid));
            }
        } catch (IOException e) {
            return List.of(parent);
        }
        List<Long> found = new ArrayList<>(List.of(parent));
        for (int i = 0; i < found.size(); i++) {
            found.addAll(children.getOrDefault(found.get(i), List.of()));
        }
        return found;
    }

    private static Optional<ProcessTicks> stat(long pid) {
        return read(PROC.resolve(pid + "/stat")).flatMap(CpuText::process);
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            // Processes and groups come and go between two reads.
            return Optional.empty();
        }
    }
}
