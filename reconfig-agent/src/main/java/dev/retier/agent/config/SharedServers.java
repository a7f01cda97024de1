package dev.retier.agent.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** One server that stands before several sites: an edge for each of them, with a file of its own. Stateless. */
final class SharedServers {
    private SharedServers() {}

    /** The same edges; the usual check of a HAProxy reads the files of the other sites as well. */
    static List<EdgeConfig> checkedTogether(List<EdgeConfig> edges) {
        return edges.stream().map(edge -> checkedWith(edge, edges)).toList();
    }

    private static EdgeConfig checkedWith(EdgeConfig edge, List<EdgeConfig> all) {
        ServerConfig server = edge.server();
        if (server == null || server.kind() != ServerKind.HAPROXY) {
            return edge;
        }
        ServerControl control = server.controlled();
        ServerControl.Commands given = control.commands();
        ServerControl.Commands usual = ServerControl.Commands.usual(ServerKind.HAPROXY, given.program());
        if (!given.check().equals(usual.check())) {
            return edge;
        }
        List<String> check = Stream.concat(
                        given.check().stream(),
                        all.stream()
                                .filter(edge::sharesServer)
                                .map(EdgeConfig::file)
                                .distinct()
                                .sorted()
                                .map(Path::toString)
                                .flatMap(file -> Stream.of("-f", file)))
                .toList();
        return edge.with(server.with(control.with(
                new ServerControl.Commands(given.program(), check, given.reload(), given.restart(), given.stop()))));
    }
}
