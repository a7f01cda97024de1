package dev.retier.agent.connect;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.VolumesConfig;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.volume.connect.TableReader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** From the cluster file to its volume servers. Stateless. */
public final class VolumeServers {
    private VolumeServers() {}

    /**
     * Where a volume server of the cluster is, and what it knows.
     *
     * @throws dev.retier.link.StateException when the secret cannot be read
     */
    public static TableReader.Server of(ClusterConfig cluster, VolumesConfig.Server server) {
        SecretSource secrets = server.secretFile().isPresent()
                ? SecretSource.fromFile(server.secretFile().get())
                : SharedStates.secret(cluster.secret());
        return new TableReader.Server(
                new InetSocketAddress(server.address().host(), server.address().port()), secrets, cluster.transport());
    }

    /**
     * Begins to connect to all of them; waits for nothing.
     *
     * @throws dev.retier.link.StateException when a secret cannot be read
     * @throws dev.retier.link.TransportException when the transport cannot be had here
     */
    public static List<VolumeWatch.Source> open(ClusterConfig cluster) {
        List<VolumeWatch.Source> opened = new ArrayList<>();
        try {
            for (VolumesConfig.Server server : cluster.volumes().servers()) {
                TableReader reader = TableReader.open(of(cluster, server));
                opened.add(new Source(server.node(), reader));
            }
            return opened;
        } catch (RuntimeException failed) {
            opened.forEach(VolumeWatch.Source::close);
            throw failed;
        }
    }

    private record Source(NodeId node, TableReader reader) implements VolumeWatch.Source {
        @Override
        public TableReader.Outcome read(Duration patience) {
            return reader.read(patience);
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
