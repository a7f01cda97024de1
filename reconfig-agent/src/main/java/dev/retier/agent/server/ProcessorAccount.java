package dev.retier.agent.server;

import dev.retier.agent.status.CpuText;
import dev.retier.agent.status.QuotaClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that a process and those that descend from it have used. Where it is in a control group of its
 * own, that group's figures count; else the sum over the processes. What has been used is read at each look; the group,
 * its limits and who belongs to the process once a second. Not thread-safe.
 */
final class ProcessorAccount implements AutoCloseable {
    /** Linux reports ticks of this length to user space on every architecture. */
    private static final double TICKS_PER_SECOND = 100;

    private static final long AGAIN_NANOS = 1_000_000_000;
    /** The first so many processes of a server have their files kept open; a server may have hundreds. */
    private static final int MAX_HELD = 32;

    private final Processes processes;
    private final Map<Long, HeldFile> stats = new TreeMap<>();
    private List<Long> tree = List.of();
    private long treeAtNanos;
    private @Nullable ServerGroup group;
    private long groupAtNanos;
    private @Nullable HeldFile groupUsage;
    private @Nullable HeldFile quotaStat;
    private final QuotaClock quota = new QuotaClock();

    ProcessorAccount(Processes processes) {
        this.processes = processes;
    }

    /**
     * Processor time.
     *
     * @param seconds used
     * @param processors how many may be used at the same time, above 0
     * @param isExhausted whether more is wanted of late than the quota gives
     */
    record Usage(double seconds, double processors, boolean isExhausted) {}

    /** Whether that process's group is outside this process's namespace of them, so that nothing can be told of it. */
    boolean isHidden(long parent) {
        return group(parent).isHidden();
    }

    /** Processor time used since some moment, and how much may be used. */
    Usage usage(long parent) {
        ServerGroup own = group(parent);
        OptionalDouble ofGroup = groupSeconds(own);
        double used = ofGroup.isPresent() ? ofGroup.getAsDouble() : treeSeconds(parent);
        double processors = own.quota().map(ServerGroup.Quota::processors).orElse((double)
                Runtime.getRuntime().availableProcessors());
        return new Usage(used, processors, isExhausted(own, used / processors));
    }

    private boolean isExhausted(ServerGroup own, double used) {
        quotaStat = held(quotaStat, own.quota().map(ServerGroup.Quota::stat));
        String told = quotaStat == null ? "" : quotaStat.read().orElse("");
        return quota.after(CpuText.periods(told), CpuText.throttled(told), used, System.nanoTime());
    }

    /** The file that is open, or another one instead. */
    private static @Nullable HeldFile held(@Nullable HeldFile open, Optional<Path> wanted) {
        if (open != null && wanted.filter(open.path()::equals).isEmpty()) {
            open.close();
            return wanted.map(HeldFile::new).orElse(null);
        }
        return open != null ? open : wanted.map(HeldFile::new).orElse(null);
    }

    /** Whether the group of that process counts what the other account's process uses as well. */
    boolean isCounting(long parent, ProcessorAccount other, long otherParent) {
        Optional<Path> own = group(parent).usage().map(Path::getParent);
        Optional<Path> others = other.group(otherParent).usage().map(Path::getParent);
        return own.isPresent() && others.isPresent() && others.get().startsWith(own.get());
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

    private OptionalDouble groupSeconds(ServerGroup own) {
        groupUsage = held(groupUsage, own.usage());
        return groupUsage == null
                ? OptionalDouble.empty()
                : own.seconds(groupUsage.read().orElse(""));
    }

    private double treeSeconds(long parent) {
        long nowNanos = System.nanoTime();
        if (tree.isEmpty() || tree.getFirst() != parent || nowNanos - treeAtNanos >= AGAIN_NANOS) {
            tree = processes.tree(parent);
            treeAtNanos = nowNanos;
            hold();
        }
        long ticks = 0;
        for (long pid : tree) {
            ticks += ticks(pid);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private void hold() {
        List<Long> first = tree.subList(0, Math.min(MAX_HELD, tree.size()));
        stats.entrySet().removeIf(held -> {
            boolean isOver = !first.contains(held.getKey());
            if (isOver) {
                held.getValue().close();
            }
            return isOver;
        });
        first.forEach(pid -> stats.computeIfAbsent(pid, of -> processes.hold(of, "stat")));
    }

    private long ticks(long pid) {
        HeldFile held = stats.get(pid);
        return (held == null ? processes.read(pid, "stat") : held.read())
                .flatMap(CpuText::process)
                .map(used -> used.own() + used.reapedChildren())
                .orElse(0L);
    }

    @Override
    public void close() {
        groupUsage = held(groupUsage, Optional.empty());
        quotaStat = held(quotaStat, Optional.empty());
        stats.values().forEach(HeldFile::close);
        stats.clear();
    }
}
