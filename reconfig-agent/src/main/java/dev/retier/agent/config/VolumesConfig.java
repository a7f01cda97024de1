package dev.retier.agent.config;

import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.volume.VolumeName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Block storage of the cluster. A server's own settings are in its own file, on its machine.
 *
 * @param servers one for each node that serves volumes, in order of its id
 * @param volumes that somebody has planned; a server may have others
 */
public record VolumesConfig(List<Server> servers, List<Planned> volumes) {
    /** Of a cluster without. */
    public static final VolumesConfig NONE = new VolumesConfig(List.of(), List.of());

    /**
     * A volume server.
     *
     * @param node on whose machine it runs
     * @param address where it listens
     * @param secretFile where the secret is that it knows; the cluster's own if there is none
     */
    public record Server(NodeId node, HostPort address, Optional<Path> secretFile) {}

    /**
     * A volume as it is to be made.
     *
     * @param name of it; no two servers have one of that name
     * @param server node on whose server it is made
     * @param bytes its size
     */
    public record Planned(VolumeName name, NodeId server, long bytes) {}

    /** Keeps its own copies. */
    public VolumesConfig {
        servers = List.copyOf(servers);
        volumes = List.copyOf(volumes);
    }

    /** The volume of that name, as it is planned. */
    public Optional<Planned> planned(VolumeName name) {
        return volumes.stream().filter(volume -> volume.name().equals(name)).findFirst();
    }
}
