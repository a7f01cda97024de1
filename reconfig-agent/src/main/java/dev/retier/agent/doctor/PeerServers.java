package dev.retier.agent.doctor;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The servers of the other nodes, asked as the proxy of this machine will ask them: a rule by the address of the client
 * (httpd's {@code Require ip}, nginx's {@code allow}) or a firewall that does not know this machine shows nowhere else
 * before a move. Stateless.
 */
final class PeerServers {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** Who asks is the reason (RFC 9110, 15.5.2 and 15.5.4). */
    private static final Set<Integer> REFUSALS = Set.of(401, 403);

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final ClusterLines lines;
    private final Credentials credentials;

    PeerServers(ClusterConfig cluster, NodeConfig node, ClusterLines lines, Credentials credentials) {
        this.cluster = cluster;
        this.node = node;
        this.lines = lines;
        this.credentials = credentials;
    }

    /**
     * Of those whose agents, which have just answered, say that their servers are up; what refuses everybody is no
     * fault of an address.
     */
    List<Finding> findings(List<NodeConfig> answering) {
        List<Finding> bad = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        for (NodeConfig peer : answering) {
            boolean isUp = PeerExamination.status(peer, credentials)
                    .filter(said -> isUp(said, peer))
                    .isPresent();
            peer.servers().stream()
                    .filter(server -> isUp && server.canBeApp())
                    .filter(server -> peer.servers().size() == 1) // of two, one may rest
                    .forEach(server -> {
                        asked.add(peer.name());
                        objection(peer, server, bad);
                    });
        }
        return bad.isEmpty() && !asked.isEmpty()
                ? List.of(Finding.good("peer-servers", "this machine may ask " + String.join(", ", asked)))
                : bad;
    }

    private void objection(NodeConfig peer, ServerConfig server, List<Finding> bad) {
        String asked = server.address() + server.provePath() + " of host " + cluster.anyHost(server);
        try {
            int status = status(server);
            if (REFUSALS.contains(status) && own().orElse(0) != status) {
                bad.add(Finding.bad(
                        "peer-servers",
                        peer.name() + " refuses what this machine asks it (" + asked + " answers " + status
                                + "), so that as a proxy " + node.name() + " would answer clients with that",
                        peer.name(),
                        "name the addresses of all nodes in its rules by address (Require ip, allow), or let"
                                + " mod_remoteip or realip take the client's from X-Forwarded-For first"));
            }
        } catch (IOException e) {
            bad.add(Finding.bad(
                    "peer-servers",
                    "this machine cannot ask " + peer.name() + " (" + asked + ": " + IoReason.of(e)
                            + "), whose agent says that its server is up",
                    lines.at("nodes." + peer.name() + ".server.address"),
                    "let this machine connect to it, or name the address at which all nodes reach it"));
        }
    }

    private int status(ServerConfig server) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.address(), cluster.anyHost(server))) {
            return fetch.probe(server.provePath(), TIMEOUT).status();
        }
    }

    private OptionalInt own() {
        try {
            return OptionalInt.of(status(node.server()));
        } catch (IOException e) {
            return OptionalInt.empty(); // found by the examination of the own server
        }
    }

    private static boolean isUp(JsonNode status, NodeConfig peer) {
        return status.path("nodes")
                .valueStream()
                .filter(said -> said.path("node").asString("").equals(peer.name()))
                .anyMatch(said -> said.path("server").asString("").equals("up"));
    }
}
