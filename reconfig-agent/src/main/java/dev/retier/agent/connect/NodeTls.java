package dev.retier.agent.connect;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.RdmaTls;
import dev.retier.agent.tls.RereadLog;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.NodeName;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.TrustFile;
import dev.retier.link.LinkTls;
import dev.retier.link.NodeId;
import dev.retier.link.StateException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From the cluster file to what a node shows and believes under TLS. Stateless. */
public final class NodeTls {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private NodeTls() {}

    /**
     * TLS as the cluster file has it, for {@code node}; empty if it has none, which is said in the log.
     *
     * @throws StateException when a file is no good, or the certificate is not of that node
     */
    public static Optional<LinkTls> of(ClusterConfig cluster, NodeConfig node) {
        if (cluster.rdmaTls().isEmpty()) {
            LOG.info(
                    "{}: there is no rdma.tls, so what nodes tell each other is neither secret nor sealed: trusted"
                            + " network only",
                    node.name());
            return Optional.empty();
        }
        RdmaTls files = cluster.rdmaTls().get();
        String name = node.name();
        Path certificate = files.certificate(name);
        try {
            KeyFiles own = KeyFiles.open(certificate, files.key(name), new RereadLog(name));
            NodeName.refusal(own.certificate(), name).ifPresent(refusal -> {
                throw new StateException("rdma.tls.certificate: " + certificate + ": " + refusal
                        + "; its DNS names, or without any its common name, must have the node's name");
            });
            TrustFile trusted = TrustFile.open(files.authorities(name), new RereadLog(name));
            return Optional.of(new LinkTls(own, trusted, (claimed, shown) -> refusal(cluster, claimed, shown)));
        } catch (PemException unusable) {
            throw new StateException("rdma.tls: " + unusable.getMessage(), unusable);
        }
    }

    private static Optional<String> refusal(ClusterConfig cluster, NodeId claimed, X509Certificate shown) {
        for (NodeConfig node : cluster.nodes()) {
            if (node.id().equals(claimed)) {
                return NodeName.refusal(shown, node.name());
            }
        }
        return Optional.of(claimed + " is no node of this cluster");
    }
}
