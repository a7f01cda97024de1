package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.status.CpuText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a server, as Linux shows them: whether its parent lives and is the server, and the processor time
 * that it and its children have used. Where the parent is in a control group of its own, that group's figures count;
 * else the sum over its processes. Not thread-safe.
 *
 * <p>An agent looks ten times a second, and each file of the kernel costs it some 40 us: whether the process lives and
 * what it has used is read each time, all else once a second.
 */
final class ServerProcess {
    /** Linux reports ticks of this length to user space on every architecture. */
    private static final double TICKS_PER_SECOND = 100;

    /**
     * After so long the pid file, the group, its limits and who belongs to the server are looked up again; and a
     * process that was no server, which may be one that had not listened yet.
     */
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final Path pidFile;
    private final Processes processes;
    private final ServerProof proof;
    private Found seen = new Nothing("nobody has looked yet");
    private String seenStart = "";
    private long seenAtNanos;
    private List<Long> tree = List.of();
    private long treeAtNanos;
    private @Nullable ServerGroup group;
    private long groupAtNanos;

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
        boolean isNew = System.nanoTime() - seenAtNanos < AGAIN_NANOS;
        boolean isKnown = switch (seen) {
            case Server(long pid) ->
                isNew || named().filter(named -> named == pid).isPresent();
            case Stranger _ -> isNew;
            case Nothing _ -> false;
        };
        if (!isKnown) {
            return find();
        }
        if (seen instanceof Server(long pid)) {
            String stat = processes.read(pid, "stat").orElse("");
            if (!Processes.isAlive(stat) || !CpuText.start(stat).equals(seenStart)) {
                return find();
            }
            seenAtNanos = isNew ? seenAtNanos : System.nanoTime();
        }
        return seen;
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
        return watch() instanceof Server(long parent) && !group(parent).isHidden()
                ? Optional.of(usage(parent))
                : Optional.empty();
    }

    /** Why {@link #usage} is empty, with the remedy. */
    String noUsage() {
        return switch (watch()) {
            case Server(long pid)
            when group(pid).isHidden() ->
                "process " + pid
                        + " is in a control group outside the agent's namespace of them; start the agent in the"
                        + " server's or the host's (containers: --cgroupns=host)";
            case Server _ -> "a process that has just begun";
            case Nothing(String why) -> why;
            case Stranger(String why) -> why;
        };
    }

    /** The same of whatever process. */
    Usage usage(long parent) {
        ServerGroup own = group(parent);
        OptionalDouble used = own.seconds();
        return new Usage(
                used.isPresent() ? used.getAsDouble() : treeSeconds(parent),
                own.processors().orElse(Runtime.getRuntime().availableProcessors()));
    }

    private ServerGroup group(long parent) {
        ServerGroup known = group;
        long nowNanos = System.nanoTime();
        if (known == null || known.pid() != parent || nowNanos - groupAtNanos >= AGAIN_NANOS) {
            known = ServerGroup.of(parent, processes.read(parent, "cgroup").orElse(""));
            group = known;
            groupAtNanos = nowNanos;
        }
        return known;
    }

    /**
     * Processor time.
     *
     * @param seconds used
     * @param processors how many may be used at the same time, above 0
     */
    record Usage(double seconds, double processors) {}

    /** Who belongs to the server is looked up once a second; what each has used, every time. */
    private double treeSeconds(long parent) {
        long nowNanos = System.nanoTime();
        if (tree.isEmpty() || tree.getFirst() != parent || nowNanos - treeAtNanos >= AGAIN_NANOS) {
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
