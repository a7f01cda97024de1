package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.status.CpuText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The processes of a server, as Linux shows them: whether its parent lives and is the server, and the processor time
 * that it and its children have used. Where the parent is in a control group of its own, that group's figures count;
 * else the sum over its processes. Not thread-safe.
 */
final class ServerProcess {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    /** Linux reports ticks of this length to user space on every architecture. */
    private static final double TICKS_PER_SECOND = 100;

    private static final long TREE_INTERVAL_NANOS = 1_000_000_000;

    /** A process that was no server is looked at again after this: it may be one that had not listened yet. */
    private static final long STRANGER_INTERVAL_NANOS = 1_000_000_000;

    private final Path pidFile;
    private final Processes processes;
    private final ServerProof proof;
    private Found seen = new Nothing("nobody has looked yet");
    private String seenStart = "";
    private long seenAtNanos;
    private List<Long> tree = List.of();
    private long treeAtNanos;

    ServerProcess(ServerConfig server) {
        this(server, Processes.OF_SYSTEM);
    }

    ServerProcess(ServerConfig server, Processes processes) {
        this.pidFile = server.controlled().pidFile();
        this.processes = processes;
        this.proof = new ServerProof(processes, server);
    }

    /** What the pid file leads to. */
    sealed interface Found {}

    /** The server's parent, proven to be that. */
    record Server(long pid) implements Found {}

    /** No process. */
    record Nothing(String why) implements Found {}

    /** A process that is not the server and must get no signal; {@code why} tells the remedy too. */
    record Stranger(String why) implements Found {}

    /**
     * Looks at the process in the pid file now. Ask right before a signal: the number may be another process's a
     * moment later.
     */
    Found find() {
        Optional<Long> named = named();
        if (named.isEmpty() || !processes.isAlive(named.get())) {
            return keep(new Nothing(pidFile + " names no running process"), "");
        }
        long pid = named.get();
        String start = start(pid);
        return keep(proof.objection(pid).<Found>map(Stranger::new).orElseGet(() -> new Server(pid)), start);
    }

    private Found keep(Found found, String start) {
        seen = found;
        seenStart = start;
        seenAtNanos = System.nanoTime();
        return found;
    }

    /** The same, but a process that was proven stays so until it ends: cheap enough for every look at the load. */
    Found watch() {
        boolean isKnown = switch (seen) {
            case Server(long pid) ->
                named().filter(named -> named == pid).isPresent()
                        && processes.isAlive(pid)
                        && start(pid).equals(seenStart);
            case Stranger _ -> System.nanoTime() - seenAtNanos < STRANGER_INTERVAL_NANOS;
            case Nothing _ -> false;
        };
        return isKnown ? seen : find();
    }

    private Optional<Long> named() {
        // Without a pid file the server is not running.
        return Processes.read(pidFile)
                .map(text -> text.lines().findFirst().orElse("").strip())
                .filter(text -> text.matches("[1-9]\\d{0,9}"))
                .map(Long::valueOf);
    }

    /** When it was started, in ticks since the machine was: with its number, no two processes have the same. */
    private String start(long pid) {
        return processes.read(pid, "stat").map(CpuText::start).orElse("");
    }

    /** Processor time used since some moment, and how much may be used; empty unless the server is found. */
    Optional<Usage> usage() {
        return watch() instanceof Server(long parent) ? Optional.of(usage(parent)) : Optional.empty();
    }

    /** The same of whatever process. */
    Usage usage(long parent) {
        String groups = processes.read(parent, "cgroup").orElse("");
        double processors = limit(groups).orElse(Runtime.getRuntime().availableProcessors());
        OptionalDouble used = groupSeconds(groups);
        double seconds = used.isPresent() ? used.getAsDouble() : treeSeconds(parent);
        return new Usage(seconds, processors);
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
                .flatMap(path -> Processes.read(path.resolve("cpuacct.usage")))
                .map(CpuText::accountedSeconds)
                .orElse(OptionalDouble.empty());
        return old.isPresent()
                ? old
                : ownGroup(groups, "", unified())
                        .flatMap(path -> Processes.read(path.resolve("cpu.stat")))
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
        Optional<String> quota = Processes.read(group.resolve("cpu.cfs_quota_us"));
        Optional<String> period = Processes.read(group.resolve("cpu.cfs_period_us"));
        return quota.isPresent() && period.isPresent()
                ? CpuText.limit(quota.get(), period.get())
                : OptionalDouble.empty();
    }

    private static OptionalDouble limitOfVersion2(Path group) {
        return Processes.read(group.resolve("cpu.max")).map(CpuText::limit).orElse(OptionalDouble.empty());
    }

    /** Who belongs to the server is looked up once a second; what each has used, every time. */
    private double treeSeconds(long parent) {
        long nowNanos = System.nanoTime();
        if (tree.isEmpty() || tree.getFirst() != parent || nowNanos - treeAtNanos >= TREE_INTERVAL_NANOS) {
            tree = processes.tree(parent);
            treeAtNanos = nowNanos;
        }
        long ticks = 0;
        for (long pid : tree) {
            ticks += processes
                    .ticks(pid)
                    .map(used -> used.own() + used.reapedChildren())
                    .orElse(0L);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
