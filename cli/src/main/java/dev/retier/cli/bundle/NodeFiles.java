package dev.retier.cli.bundle;

import dev.retier.agent.command.CommandAsked;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of agents and edges of a cluster that are on this machine: journals, and what they generate. */
final class NodeFiles {
    private final Collected collected;
    private final Machine machine;

    NodeFiles(Collected collected, Machine machine) {
        this.collected = collected;
        this.machine = machine;
    }

    /** All that are here. */
    void add(ClusterConfig cluster) {
        List<NodeConfig> here = cluster.nodes().stream()
                .filter(node -> isFolder(cluster.journalDirectory()) && isFolder(journals(cluster, node)))
                .toList();
        if (here.isEmpty()) {
            collected.missing(
                    "journals", "below " + cluster.journalDirectory() + " is no node's, or this user may not see it");
        }
        here.forEach(node -> {
            folder("journals/" + node.name() + "/", journals(cluster, node));
            node.servers()
                    .forEach(server -> machine.filesOwn(
                            "generated/" + node.name() + "/" + server.roleFile().getFileName(), server.roleFile()));
        });
        cluster.edges().stream().filter(edge -> Files.exists(edge.file())).forEach(this::edge);
    }

    private void edge(EdgeConfig edge) {
        machine.file("generated/" + edge.name() + "/" + edge.file().getFileName(), edge.file());
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static Path journals(ClusterConfig cluster, NodeConfig node) {
        return new AgentConfig(cluster, node.id()).journalDirectory();
    }

    private void folder(String path, Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            all.filter(one -> !Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .forEach(one -> machine.filesOwn(path + one.getFileName(), one));
        } catch (IOException e) {
            collected.missing(path, e.toString());
        }
    }

    /** Who may command the agents by name, or has done so as their journals tell, but for users of the system. */
    static Set<String> commanders(ClusterConfig cluster) throws IOException {
        Set<String> names = new TreeSet<>();
        names.addAll(cluster.admin().viewers());
        names.addAll(cluster.admin().operators());
        for (NodeConfig node : cluster.nodes()) {
            Path journals = journals(cluster, node);
            if (Files.isReadable(AuditJournal.file(journals))) {
                AuditJournal.read(journals).stream().map(CommandAsked::by).forEach(names::add);
            }
        }
        Machine.systemUsers().forEach(names::remove);
        return names;
    }
}
