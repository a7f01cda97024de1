package dev.retier.agent.server;

import dev.retier.agent.status.CpuText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The control group of a process as this one sees it, of version 1 or 2 (cgroups(7)): what it has used of the
 * processors, and the scarcest of the limits of its group and of those around it. Thread-safe.
 *
 * @param pid of the process
 * @param usage the file that tells what the group has used; empty when the group counts others as well, as the root
 *     does
 * @param isUnified whether it is one of version 2
 * @param quota the scarcest; empty for none
 * @param isHidden whether the group is outside this process's namespace of control groups (cgroup_namespaces(7)), so
 *     that neither its use nor its limits can be found
 */
record ServerGroup(long pid, Optional<Path> usage, boolean isUnified, Optional<Quota> quota, boolean isHidden) {
    private static final String OUTSIDE = ":/..";
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /**
     * What a group may use.
     *
     * @param processors how many at the same time, above 0
     * @param stat the file that tells how often that was not enough
     */
    record Quota(double processors, Path stat) {}

    /**
     * The group as the machine has it now.
     *
     * @param groups text of {@code /proc/PID/cgroup}
     */
    static ServerGroup of(long pid, String groups) {
        // Version 1 counts first: where both are mounted, a group of its own is where the processors are controlled.
        Optional<Path> old = usage(groups, "cpuacct", CGROUPS.resolve("cpuacct"), "cpuacct.usage");
        return new ServerGroup(
                pid,
                old.or(() -> usage(groups, "", unified(), "cpu.stat")),
                old.isEmpty(),
                quota(groups),
                groups.contains(OUTSIDE));
    }

    /**
     * Processor time that the group has used since it was made.
     *
     * @param text of its file {@link #usage}
     */
    OptionalDouble seconds(String text) {
        return isUnified ? CpuText.usageSeconds(text) : CpuText.accountedSeconds(text);
    }

    /** Where version 2 is: alone, or beside version 1. */
    private static Path unified() {
        return Files.exists(CGROUPS.resolve("cgroup.controllers")) ? CGROUPS : CGROUPS.resolve("unified");
    }

    /** In a group of the server's own; the root group counts the whole machine. */
    private static Optional<Path> usage(String groups, String controller, Path hierarchy, String file) {
        return CpuText.cgroup(groups, controller)
                .filter(path -> !path.equals("/"))
                .map(path -> hierarchy.resolve(path.substring(1)).resolve(file))
                .filter(Files::isReadable);
    }

    private static Optional<Quota> quota(String groups) {
        Optional<String> old = CpuText.cgroup(groups, "cpu");
        Path hierarchy = old.isPresent() ? CGROUPS.resolve("cpu") : unified();
        Path group = hierarchy.resolve(
                old.or(() -> CpuText.cgroup(groups, "")).orElse("/").substring(1));
        Optional<Quota> scarcest = Optional.empty();
        for (Path at = group; at != null && at.startsWith(hierarchy); at = at.getParent()) {
            OptionalDouble here = old.isPresent() ? limitOfVersion1(at) : limitOfVersion2(at);
            if (here.isPresent() && scarcest.stream().allMatch(known -> here.getAsDouble() < known.processors)) {
                scarcest = Optional.of(new Quota(here.getAsDouble(), at.resolve("cpu.stat")));
            }
        }
        return scarcest;
    }

    private static OptionalDouble limitOfVersion1(Path group) {
        Optional<String> quota = Processes.read(group.resolve("cpu.cfs_quota_us"));
        Optional<String> period = Processes.read(group.resolve("cpu.cfs_period_us"));
        return quota.isPresent() && period.isPresent()
                ? CpuText.limit(quota.get(), period.get())
                : OptionalDouble.empty();
    }

    private static OptionalDouble limitOfVersion2(Path group) {
        return Processes.read(group.resolve("cpu.max")).map(CpuText::limit).orElse(OptionalDouble.empty());
    }
}
