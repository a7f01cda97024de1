package dev.retier.agent.access;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.NodeConfig;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Who is meant by a client certificate that was found to be good. Stateless. */
public final class CertificateNames {
    private CertificateNames() {}

    /**
     * What one with these names, in lower case, may do: they are looked for among the operators, then among the
     * viewers, and the nodes and edges of the cluster, which ask each other. With none of them it is known and may
     * nothing.
     */
    public static Caller caller(Collection<String> names, ClusterConfig cluster, String address) {
        Set<String> operators = cluster.admin().operators();
        Set<String> viewers = cluster.admin().viewers();
        List<String> members = Stream.concat(
                        cluster.nodes().stream().map(NodeConfig::name),
                        cluster.edges().stream().map(EdgeConfig::name))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        for (String name : names) {
            if (operators.contains(name)) {
                return new Caller(name, CallerRole.OPERATOR, address);
            }
        }
        for (String name : names) {
            if (viewers.contains(name) || members.contains(name)) {
                return new Caller(name, CallerRole.VIEWER, address);
            }
        }
        return new Caller(
                names.isEmpty()
                        ? "a certificate without a name"
                        : names.iterator().next(),
                CallerRole.NONE,
                address);
    }
}
