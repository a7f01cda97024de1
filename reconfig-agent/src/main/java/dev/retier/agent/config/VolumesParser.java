package dev.retier.agent.config;

import dev.retier.agent.config.VolumesConfig.Planned;
import dev.retier.agent.config.VolumesConfig.Server;
import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.config.Problems;
import dev.retier.link.NodeId;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code volume-servers} and {@code volumes} of a cluster file. Owned by one parse. */
final class VolumesParser {
    private static final Pattern ANY = Pattern.compile("\\P{Cntrl}{1,100}");
    private static final int MAX_SERVERS = 64;
    private static final int MAX_VOLUMES = 1024;

    private final Map<String, NodeId> nodeIds;
    private final Problems problems;

    VolumesParser(Map<String, NodeId> nodeIds, Problems problems) {
        this.nodeIds = nodeIds;
        this.problems = problems;
    }

    VolumesConfig volumes(Fields fields) {
        List<Server> servers = fields.optionalList(
                "volume-servers", MAX_SERVERS, (value, where) -> server(Fields.of(value, where, problems)));
        List<Planned> volumes = fields.optionalList(
                "volumes", MAX_VOLUMES, (value, where) -> volume(Fields.of(value, where, problems)));
        check(fields, servers, volumes);
        return new VolumesConfig(
                servers.stream().sorted(Comparator.comparing(Server::node)).toList(), volumes);
    }

    private Server server(Fields fields) {
        NodeId node = node(fields, "node");
        HostPort address = ServerParser.one(fields, "address", fields.address("address", 1), "this volume server");
        Optional<Path> secret = fields.optionalText("secret-file", ServerParser.PATH, "name a file")
                .map(Path::of);
        fields.finish();
        return new Server(node, address, secret);
    }

    private Planned volume(Fields fields) {
        String text = fields.text("name", ANY, "give it a name");
        Optional<VolumeName> name = VolumeName.parse(text);
        if (name.isEmpty() && !fields.isRefused("name")) {
            fields.problem(
                    "name",
                    "\"" + text + "\" is no name of a volume; write 1 to " + VolumeName.MAX_LENGTH
                            + " of a-z, 0-9, '.' and '-', the first a letter or a digit");
        }
        NodeId server = node(fields, "server");
        long bytes = fields.size("size", null, Volume.BLOCK_BYTES, Volume.MOST_BYTES);
        if (bytes % Volume.BLOCK_BYTES != 0) {
            fields.problem("size", bytes + " bytes are no whole blocks; write a multiple of 4k");
        }
        fields.finish();
        return new Planned(name.orElse(new VolumeName("unnamed")), server, bytes);
    }

    private NodeId node(Fields fields, String key) {
        String name = fields.text(key, ANY, "name a node");
        NodeId id = nodeIds.get(name);
        if (id == null && !fields.isRefused(key)) {
            String names = String.join(", ", nodeIds.keySet().stream().sorted().toList());
            fields.problem(key, "\"" + name + "\" is no node; the nodes are " + names);
        }
        return id == null ? new NodeId(NodeId.MAX_VALUE) : id;
    }

    private static void check(Fields fields, List<Server> servers, List<Planned> volumes) {
        Set<NodeId> nodes = new HashSet<>();
        Set<HostPort> addresses = new HashSet<>();
        for (Server server : servers) {
            if (!nodes.add(server.node())) {
                fields.problem("volume-servers", "a node is named twice; a node has one volume server");
            }
            if (!addresses.add(server.address())) {
                fields.problem("volume-servers", "two items have address " + server.address() + "; give each its own");
            }
        }
        Set<VolumeName> names = new HashSet<>();
        for (Planned volume : volumes) {
            if (!names.add(volume.name())) {
                fields.problem("volumes", "two items have name " + volume.name() + "; give each its own");
            }
            if (!nodes.contains(volume.server())) {
                fields.problem(
                        "volumes", "the server of " + volume.name() + " is none of volume-servers; add it there");
            }
        }
    }
}
