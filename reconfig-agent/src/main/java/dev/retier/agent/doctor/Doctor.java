package dev.retier.agent.doctor;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.SoleWriter;
import dev.retier.agent.apply.WriteTrial;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.connect.SharedStates;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.render.ConfiguredView;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.ServerExamination;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import dev.retier.config.IoReason;
import dev.retier.link.StateException;
import dev.retier.state.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Proves, before the first peak, what moves of a node will need: its own server and files as {@link
 * ServerExamination} does, its secret and journal, its peers, their clocks, their configuration and the edges. It
 * changes nothing, and may run beside the agent of the node. Thread-safe.
 */
public final class Doctor {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** A journal and the two copies of a generated file take less. */
    private static final long LEAST_BYTES = 16L << 20;

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final ClusterLines lines;
    private final TlsExamination tls;

    /** For one node of the cluster, on whose machine this runs. */
    public Doctor(ClusterConfig cluster, NodeConfig node, ClusterLines lines) {
        this.cluster = cluster;
        this.node = node;
        this.lines = lines;
        this.tls = new TlsExamination(cluster, node, lines);
    }

    /** What belongs together, and is looked at together. */
    @FunctionalInterface
    private interface Section {
        List<Finding> findings() throws InterruptedException;
    }

    /** All findings, those of the node itself first. It takes as long as the server's checker and some requests. */
    public List<Finding> findings() throws InterruptedException {
        return look(List.of()).stream().flatMap(List::stream).toList();
    }

    /**
     * All findings, section by section. Sections of which all was good in {@code before}, an earlier look at the same
     * node of the same cluster file, are taken from there: an agent may have little more of a processor than it needs,
     * and the checker alone takes of it what its heartbeats take in a second.
     */
    List<List<Finding>> look(List<List<Finding>> before) throws InterruptedException {
        List<List<Finding>> all = new ArrayList<>();
        for (Section section : sections()) {
            List<Finding> known = all.size() < before.size() ? before.get(all.size()) : List.of();
            boolean isGood =
                    !known.isEmpty() && known.stream().allMatch(finding -> finding.verdict() == Finding.Verdict.GOOD);
            all.add(isGood ? known : List.copyOf(section.findings()));
        }
        return List.copyOf(all);
    }

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(() -> Stream.concat(Stream.of(secret(), journal(), space()), tls.findings(Instant.now()).stream())
                .toList());
        node.servers().forEach(server -> sections.add(() -> findings(server)));
        sections.add(this::peers);
        sections.add(this::edges);
        return sections;
    }

    private List<Finding> peers() throws InterruptedException {
        Credentials credentials = tls.credentials();
        Optional<JsonNode> own = PeerExamination.status(node, credentials);
        PeerExamination peers = new PeerExamination(cluster, node, lines, credentials);
        List<Finding> all = new ArrayList<>(peers.findings(own.isPresent()));
        all.addAll(new PeerServers(cluster, node, lines, credentials).findings(peers.answering()));
        own.ifPresent(status -> all.add(sameConfiguration(status)));
        return all;
    }

    private List<Finding> edges() {
        Optional<JsonNode> own = PeerExamination.status(node, tls.credentials());
        return cluster.edges().stream().map(edge -> edge(edge, own)).toList();
    }

    private List<Finding> findings(ServerConfig server) throws InterruptedException {
        String section = server.equals(node.appServer()) ? "app-server" : "server";
        Path mark = ServerExamination.restMark(server, journalFolder());
        if (Files.exists(mark)) {
            String what = server.kind().word() + " rests: the agent has stopped it, by " + mark;
            return List.of(Finding.good("server", what));
        }
        List<Finding> found = new ArrayList<>();
        Optional<Rendering> expected = Optional.empty();
        try {
            expected = expected(server);
        } catch (ReconfigException | IllegalArgumentException e) {
            String key = lines.at("nodes." + node.name() + "." + section + ".template");
            found.add(Finding.bad("template", String.valueOf(e.getMessage()), key, "as it says"));
        }
        found.addAll(new ServerExamination(
                        cluster,
                        node,
                        server,
                        key -> lines.at("nodes." + node.name() + "." + key.replaceFirst("^server\\b", section)))
                .findings(expected));
        return found;
    }

    /** As it starts; a proxy without apps has no file. */
    private Optional<Rendering> expected(ServerConfig server) {
        if (!server.kind().isReloaded()) {
            return Optional.empty();
        }
        Role role = node.canServe(node.initialRole()) ? node.initialRole() : Role.SPARE;
        NodeFiles files = ServerTemplates.nodeFiles(cluster, node);
        return server.equals(node.server(role))
                ? files.render(ConfiguredView.of(cluster), role, 0)
                : Optional.of(files.idle(server, 0));
    }

    private Finding secret() {
        String key = cluster.secret() instanceof SecretSource.InFile ? "secret-file" : "secret-env";
        try {
            var _ = SharedStates.secret(cluster.secret());
            return Finding.good("secret", "can be read");
        } catch (StateException e) {
            return Finding.bad("secret", String.valueOf(e.getMessage()), lines.at(key), "as it says");
        }
    }

    private Path journalFolder() {
        return new AgentConfig(cluster, node.id()).journalDirectory().toAbsolutePath();
    }

    /** The agent makes the folder if its parent lets it. */
    private Finding journal() {
        Path folder = journalFolder();
        Path there = existing(folder);
        String key = lines.at("journal-directory");
        try {
            WriteTrial.in(there);
            Optional<Path> closed = unwritable(folder);
            if (closed.isPresent()) {
                return Finding.bad(
                        "journal",
                        ServerExamination.user() + " may not write " + closed.get()
                                + ", which somebody else has written",
                        key,
                        "run as the user that runs the agent, or give the file to it: chown " + ServerExamination.user()
                                + " " + closed.get());
            }
            return Finding.good("journal", folder + " may be written");
        } catch (IOException e) {
            return Finding.bad(
                    "journal",
                    ServerExamination.user() + " cannot write in " + there + " (" + IoReason.of(e) + ")",
                    key,
                    "let that user write there, with some space left, or name another folder");
        }
    }

    /** What an agent opens to write in it, and this user may not, as when the agent was run as another one before. */
    private static Optional<Path> unwritable(Path folder) {
        return Stream.of(SoleWriter.file(folder), Journal.file(folder))
                .filter(file -> Files.exists(file) && !Files.isWritable(file))
                .findFirst();
    }

    /** The file itself, or the nearest folder around it that is there. */
    private static Path existing(Path file) {
        Path there = file;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    private Finding space() {
        List<Path> files = new ArrayList<>(List.of(journalFolder()));
        node.servers().forEach(server -> files.add(server.roleFile().toAbsolutePath()));
        for (Path file : files) {
            Path there = existing(file);
            try {
                long bytes = Files.getFileStore(there).getUsableSpace();
                if (bytes < LEAST_BYTES) {
                    return Finding.bad(
                            "space",
                            there + ": " + (bytes >> 20) + " MiB left",
                            there.toString(),
                            "make space: a move needs its journal and its file, say " + (LEAST_BYTES >> 20) + " MiB");
                }
            } catch (IOException e) {
                return Finding.unknown("space", there + ": " + IoReason.of(e));
            }
        }
        return Finding.good("space", "enough for journal and file");
    }

    private Finding sameConfiguration(JsonNode own) {
        List<String> differing = own.path("nodes")
                .valueStream()
                .filter(other -> other.path("config_differs").asBoolean(false))
                .map(other -> other.path("node").asString(""))
                .toList();
        return differing.isEmpty()
                ? Finding.good("configuration", "the same on all agents that are seen")
                : Finding.bad(
                        "configuration",
                        String.join(", ", differing) + " have another cluster file than the agent of this node",
                        lines.at("nodes"),
                        "give all the same file, and restart or SIGHUP their agents");
    }

    private Finding edge(EdgeConfig edge, Optional<JsonNode> own) {
        String key = lines.at("edges." + edge.name());
        if (edge.server() != null
                && edge.isAddressedFrom(node)
                && !isOpen(edge.server().address())) {
            return Finding.bad(
                    "edge " + edge.name(),
                    "nobody listens at " + edge.server().address(),
                    key,
                    "start it, or name its address");
        }
        if (own.isEmpty()) {
            return Finding.unknown(
                    "edge " + edge.name(),
                    "the agent of " + node.name() + " does not run yet, which it must tell what it runs");
        }
        boolean isHeard = own.get()
                .path("edges")
                .valueStream()
                .anyMatch(heard -> heard.path("edge").asString("").equals(edge.name()) && heard.has("stamp"));
        return isHeard
                ? Finding.good("edge " + edge.name(), "has told the agent what it runs")
                : Finding.bad(
                        "edge " + edge.name(),
                        "has told the agent of " + node.name() + " nothing, so that no proxy may leave",
                        key,
                        "run ./retier edge --config FILE --edge " + edge.name() + " where it reaches "
                                + node.agentAdmin());
    }

    private static boolean isOpen(HostPort address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), (int) TIMEOUT.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
