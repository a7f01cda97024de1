package dev.retier.cli.volume;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.VolumesConfig;
import dev.retier.agent.connect.VolumeServers;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.link.StateException;
import dev.retier.link.TransportException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.TableReader;
import dev.retier.volume.connect.TableReader.Outcome;
import dev.retier.volume.table.VolumeTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The volume servers that a cluster file names, found by what their tables tell. */
final class ClusterServers {
    /** For one server, so that one that is silent does not take the patience that all have together. */
    private static final Duration ONE_LOOK = Duration.ofMillis(500);

    /** Once a volume is found, for those that have told nothing yet: another one may have one of that name, too. */
    private static final Duration OTHERS = Duration.ofSeconds(1);

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ClusterConfig cluster;
    private final Duration patience;

    /**
     * Which volume a command is about.
     *
     * @param isNew whether it is to be made
     * @param on node on whose server it is to be made; null where the file says, or there is only one
     */
    record Wanted(VolumeName name, boolean isNew, @Nullable String on) {
        /** One that there is. */
        static Wanted existing(VolumeName name) {
            return new Wanted(name, false, null);
        }
    }

    /** Of that cluster; a server that has told nothing for so long is given up. */
    ClusterServers(ClusterConfig cluster, Duration patience) {
        this.cluster = cluster;
        this.patience = patience;
        if (cluster.volumes().servers().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cluster " + cluster.name() + " has no volume servers; add volume-servers");
        }
    }

    /** The server of a volume; ends the command if there is none, or none can be made there. */
    TableReader.Server of(Wanted wanted) {
        VolumesConfig.Server server = wanted.isNew ? forNew(wanted) : having(wanted.name);
        return server(server);
    }

    /** The server of the node of that name, which has one. */
    TableReader.Server of(String node) {
        return cluster.volumes().servers().stream()
                .filter(each -> name(each).equals(node))
                .findFirst()
                .map(this::server)
                .orElseThrow();
    }

    private TableReader.Server server(VolumesConfig.Server server) {
        try {
            return VolumeServers.of(cluster, server);
        } catch (StateException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    private VolumesConfig.Server having(VolumeName name) {
        Map<VolumesConfig.Server, Outcome> told = tables(Optional.of(name));
        List<VolumesConfig.Server> all = told.entrySet().stream()
                .filter(each -> has(each.getValue(), name))
                .map(Map.Entry::getKey)
                .toList();
        if (all.size() > 1) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "there is a volume " + name + " on each of "
                            + all.stream().map(this::name).sorted().collect(Collectors.joining(", "))
                            + ": say which by --server and --secret-file, without --config");
        }
        if (all.isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, "no server of the cluster has a volume " + name + unread(told));
        }
        return all.getFirst();
    }

    private VolumesConfig.Server forNew(Wanted wanted) {
        Map<VolumesConfig.Server, Outcome> told = tables(Optional.empty());
        told.forEach((server, outcome) -> {
            if (has(outcome, wanted.name)) {
                throw new CommandFailure(
                        ExitCode.FAILED, "there is a volume " + wanted.name + " already, on " + name(server));
            }
        });
        if (!unread(told).isEmpty()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "whether another server has a volume " + wanted.name + " is not known" + unread(told)
                            + "; start it, or go past it by --server and --secret-file");
        }
        return told.keySet().stream()
                .filter(server -> isWanted(server, wanted))
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "say on which server " + wanted.name + " is to be: --on one of "
                                + told.keySet().stream().map(this::name).collect(Collectors.joining(", "))));
    }

    private boolean isWanted(VolumesConfig.Server server, Wanted wanted) {
        if (wanted.on != null) {
            return name(server).equals(wanted.on);
        }
        return cluster.volumes()
                .planned(wanted.name)
                .map(planned -> planned.server().equals(server.node()))
                .orElse(cluster.volumes().servers().size() == 1);
    }

    private static boolean has(Outcome outcome, VolumeName name) {
        return outcome instanceof Outcome.Read(VolumeTable table)
                && table.named(name).isPresent();
    }

    /** What could not be read, to be said behind a sentence; empty if all could. */
    private String unread(Map<VolumesConfig.Server, Outcome> told) {
        return told.entrySet().stream()
                .filter(each -> each.getValue() instanceof Outcome.Unread)
                .map(each -> "; that of " + name(each.getKey()) + " could not be read: "
                        + ((Outcome.Unread) each.getValue()).why())
                .collect(Collectors.joining());
    }

    private String name(VolumesConfig.Server server) {
        return cluster.node(server.node()).name();
    }

    /** What each server tells, by the name of its node. */
    Map<String, Outcome> tables() {
        Map<String, Outcome> tables = new TreeMap<>();
        tables(Optional.empty()).forEach((server, outcome) -> tables.put(name(server), outcome));
        return tables;
    }

    /** What each server tells; soon after one has that volume, only what is known by then. */
    private Map<VolumesConfig.Server, Outcome> tables(Optional<VolumeName> enough) {
        Map<VolumesConfig.Server, TableReader> readers = new HashMap<>();
        try {
            for (VolumesConfig.Server server : cluster.volumes().servers()) {
                readers.put(server, TableReader.open(server(server)));
            }
            return read(readers, enough);
        } catch (TransportException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } finally {
            readers.values().forEach(TableReader::close);
        }
    }

    private Map<VolumesConfig.Server, Outcome> read(
            Map<VolumesConfig.Server, TableReader> readers, Optional<VolumeName> enough) {
        long untilNanos = System.nanoTime() + patience.toNanos();
        Map<VolumesConfig.Server, Outcome> told = new HashMap<>();
        boolean isFound = false;
        boolean isOver = false;
        while (!isOver) {
            for (VolumesConfig.Server server : cluster.volumes().servers()) {
                if (!(told.get(server) instanceof Outcome.Read)) {
                    told.put(server, Objects.requireNonNull(readers.get(server)).read(ONE_LOOK));
                }
            }
            if (!isFound
                    && enough.stream().anyMatch(name -> told.values().stream().anyMatch(one -> has(one, name)))) {
                isFound = true;
                untilNanos = Math.min(untilNanos, System.nanoTime() + OTHERS.toNanos());
            }
            isOver = System.nanoTime() - untilNanos >= 0
                    || told.values().stream().allMatch(Outcome.Read.class::isInstance);
            if (!isOver) {
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
        return told;
    }
}
