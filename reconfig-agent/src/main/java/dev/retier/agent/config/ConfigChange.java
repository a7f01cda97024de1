package dev.retier.agent.config;

import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What differs between two versions of a cluster file, by key.
 *
 * @param live what a running agent takes over
 * @param restart what it cannot: its slot, its connections, its server and its journal hang on it
 */
public record ConfigChange(List<String> live, List<String> restart) {
    /** Keeps its own copies. */
    public ConfigChange {
        live = List.copyOf(live);
        restart = List.copyOf(restart);
    }

    /** The change from one to the other. Of edges an agent knows only that they are there, and before which site. */
    public static ConfigChange between(ClusterConfig before, ClusterConfig after) {
        List<String> live = new ArrayList<>();
        List<String> restart = new ArrayList<>();
        note(restart, "name", before.name(), after.name());
        note(restart, "transport", before.transport(), after.transport());
        note(restart, "former-handshake", before.formerHandshake(), after.formerHandshake());
        note(restart, "rdma.tls", before.rdmaTls(), after.rdmaTls());
        note(restart, "secret-file or secret-env", before.secret(), after.secret());
        note(restart, "journal-directory", before.journalDirectory(), after.journalDirectory());
        note(restart, "witnesses", before.witnesses(), after.witnesses());
        note(live, "mode", before.mode(), after.mode());
        note(live, "decision", before.decision(), after.decision());
        Duration slowStart = before.move().slowStart();
        note(live, "move", before.move(), after.move().withSlowStart(slowStart));
        note(restart, "move.slow-start", slowStart, after.move().slowStart());
        timing(live, restart, before.timing(), after.timing());
        sites(live, restart, before, after);
        note(live, "edges", edges(before), edges(after));
        note(
                restart,
                "volume-servers",
                before.volumes().servers(),
                after.volumes().servers());
        note(live, "volumes", before.volumes().volumes(), after.volumes().volumes());
        admin(live, restart, before.admin(), after.admin());
        nodes(restart, before, after);
        return new ConfigChange(live, restart);
    }

    private static void note(List<String> keys, String key, Object before, Object after) {
        if (!Objects.equals(before, after)) {
            keys.add(key);
        }
    }

    private static void timing(List<String> live, List<String> restart, Timing before, Timing after) {
        note(live, "timing.sensitivity", before.sensitivity(), after.sensitivity());
        note(live, "timing.dead-after", before.deadAfter(), after.deadAfter());
        note(live, "timing.start-grace", before.startGrace(), after.startGrace());
        note(restart, "timing.publish-interval", before.publishInterval(), after.publishInterval());
        note(restart, "timing.utilisation-window", before.utilisationWindow(), after.utilisationWindow());
        note(restart, "timing.read-deadline", before.readDeadline(), after.readDeadline());
        note(restart, "timing.staleness", before.staleness(), after.staleness());
        note(restart, "timing.lease", before.lease(), after.lease());
    }

    private static void sites(List<String> live, List<String> restart, ClusterConfig before, ClusterConfig after) {
        if (!ids(before).equals(ids(after))) {
            restart.add("sites (one was added, removed or renumbered)");
            return;
        }
        for (SiteConfig old : before.sites()) {
            SiteConfig site = after.site(old.id()).orElseThrow();
            note(restart, "sites." + old.name() + ".name", old.name(), site.name());
            note(restart, "sites." + old.name() + ".hosts", old.hosts(), site.hosts());
            note(live, "sites." + old.name() + ".priority", old.priority(), site.priority());
            note(
                    live,
                    "sites." + old.name() + ".guarantee",
                    Optional.ofNullable(old.guaranteeRequestsPerSecond()),
                    Optional.ofNullable(site.guaranteeRequestsPerSecond()));
            note(live, "sites." + old.name() + ".proxy", old.proxy(), site.proxy());
            note(live, "sites." + old.name() + ".app", old.app(), site.app());
            note(live, "sites." + old.name() + ".proxy-hold", old.hold(), site.hold());
        }
    }

    /** What the files say is read again when they change, not by this. */
    private static void admin(List<String> live, List<String> restart, AdminConfig before, AdminConfig after) {
        note(restart, "admin.tls", Optional.ofNullable(before.tls()), Optional.ofNullable(after.tls()));
        note(restart, "admin.tokens-file", before.tokensFile(), after.tokensFile());
        note(live, "admin.viewers", before.viewers(), after.viewers());
        note(live, "admin.operators", before.operators(), after.operators());
        note(live, "admin.open-reads", before.isReadByAll(), after.isReadByAll());
        note(restart, "admin.insecure", before.isInsecure(), after.isInsecure());
    }

    private static Map<String, SiteId> edges(ClusterConfig config) {
        return config.edges().stream().collect(Collectors.toMap(EdgeConfig::name, EdgeConfig::site));
    }

    private static TreeSet<Integer> ids(ClusterConfig config) {
        TreeSet<Integer> ids = new TreeSet<>();
        config.sites().forEach(site -> ids.add(site.id().value()));
        return ids;
    }

    private static void nodes(List<String> restart, ClusterConfig before, ClusterConfig after) {
        for (NodeConfig old : before.nodes()) {
            Optional<NodeConfig> node = after.nodeNamed(old.name());
            if (node.isEmpty()) {
                restart.add("nodes." + old.name() + " (removed)");
            } else {
                note(
                        restart,
                        "nodes." + old.name() + ".id",
                        old.id(),
                        node.get().id());
                note(
                        restart,
                        "nodes." + old.name() + ".rdma",
                        old.rdma(),
                        node.get().rdma());
                note(
                        restart,
                        "nodes." + old.name() + ".server",
                        old.server(),
                        node.get().server());
                note(
                        restart,
                        "nodes." + old.name() + ".app-server",
                        Optional.ofNullable(old.appServer()),
                        Optional.ofNullable(node.get().appServer()));
                note(
                        restart,
                        "nodes." + old.name() + ".agent",
                        old.agentAdmin(),
                        node.get().agentAdmin());
                note(
                        restart,
                        "nodes." + old.name() + ".role",
                        old.initialRole(),
                        node.get().initialRole());
            }
        }
        after.nodes().stream()
                .filter(node -> before.nodeNamed(node.name()).isEmpty())
                .forEach(node -> restart.add("nodes." + node.name() + " (added)"));
    }
}
