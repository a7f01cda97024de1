package dev.retier.bench.pressure;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.ServerWatch;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.bench.ProcessFigures;
import dev.retier.bench.agent.ClusterText;
import dev.retier.bench.agent.HttpdServers;
import dev.retier.link.ReservedPorts;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Two httpd proxies with room for sixteen requests each, and their app. Ends them. Not thread-safe. */
final class FullServers implements AutoCloseable {
    private static final int PROXIES = 2;
    private static final int NODES = 3;
    private static final int SETTLING_SECONDS = 4;
    private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(2);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final long STAMP = 2;
    private static final LoadRecord IDLE = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 0, 0);

    private final Situation situation;
    private final HttpdServers servers;
    private final ReservedPorts ports;
    private final ClusterConfig cluster;
    private final BackEnd app;

    /**
     * What one run showed.
     *
     * @param processor cores that the first server used
     * @param utilisation that was published of it while it counted as up, the mean
     * @param down share of the looks in which it counted as down
     * @param newServed share of those who came anew
     */
    record Run(
            double processor,
            double utilisation,
            double down,
            double answersPerSecond,
            double megabytesPerSecond,
            double newServed) {}

    private FullServers(Situation situation, HttpdServers servers, ReservedPorts ports, ClusterConfig cluster)
            throws IOException {
        this.situation = situation;
        this.servers = servers;
        this.ports = ports;
        this.cluster = cluster;
        this.app = new BackEnd(cluster.nodes().getLast().server().address().port());
    }

    /**
     * Starts them.
     *
     * @throws IOException if that fails
     */
    static FullServers start(Situation situation) throws IOException {
        HttpdServers servers = HttpdServers.prepare(situation.edit());
        ReservedPorts ports = new ReservedPorts(NODES * ClusterText.PORTS_PER_NODE);
        try {
            for (int id = 1; id <= PROXIES; id++) {
                servers.makeFolder(id);
            }
            String text = ClusterText.of(Path.of("/nonexistent"), PROXIES, ports.numbers(), "", servers);
            return new FullServers(situation, servers, ports, ClusterConfig.parse(text, "pressure.yaml")).started();
        } catch (IOException | RuntimeException e) {
            servers.close();
            ports.close();
            throw e;
        }
    }

    private FullServers started() throws IOException {
        try {
            for (NodeConfig node : proxies()) {
                AtomicFile.replace(node.server().roleFile(), file(node));
                servers.start(node);
            }
            return this;
        } catch (IOException | RuntimeException e) {
            app.close();
            throw e;
        }
    }

    private List<NodeConfig> proxies() {
        return cluster.nodes().subList(0, PROXIES);
    }

    private String file(NodeConfig node) {
        ClusterView view = ClusterView.of(cluster.nodes().stream()
                .<NodeView>map(of -> new NodeView.Known(of.id(), RoleWord.active(0, 0, of.initialRole()), IDLE))
                .toList());
        return ServerTemplates.nodeFiles(cluster, node)
                .render(view, node.initialRole(), STAMP)
                .orElseThrow()
                .content();
    }

    /**
     * Clients ask the first so many of the servers.
     *
     * @throws IOException if a server has ended
     */
    Run run(int servers, int seconds) throws IOException {
        List<NodeConfig> used = proxies().subList(0, servers);
        try (ManagedServer managed =
                        ManagedServers.open("pressure", used.getFirst().server(), InstallerEvents.NONE);
                Asking asking = new Asking(
                        situation,
                        used.stream().map(node -> node.server().address()).toList())) {
            managed.start();
            ServerWatch watch = new ServerWatch(
                    cluster.timing().utilisationWindow(), cluster.timing().staleness(), System.nanoTime());
            published(managed, watch, SETTLING_SECONDS);
            double cpuSeconds = cpuSeconds(used.getFirst());
            long beganNanos = System.nanoTime();
            Asking.Count before = asking.count();
            Published published = published(managed, watch, seconds);
            Asking.Count had = asking.count().since(before);
            double took = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
            return new Run(
                    (cpuSeconds(used.getFirst()) - cpuSeconds) / took,
                    published.utilisation,
                    published.down,
                    had.answered() / took,
                    had.bytes() / took / BYTES_PER_MEGABYTE,
                    had.came() > 0 ? (double) had.served() / had.came() : 0);
        }
    }

    /** What an agent would publish: the mean while the server counts as up, and for what share it does not. */
    private record Published(double utilisation, double down) {}

    private Published published(ManagedServer managed, ServerWatch watch, int seconds) {
        double sum = 0;
        int up = 0;
        int down = 0;
        long endNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (System.nanoTime() < endNanos) {
            long askedAtNanos = System.nanoTime();
            LoadRecord record = watch.after(managed.observe(LOOK_TIMEOUT), askedAtNanos, 0, System.nanoTime())
                    .record();
            if (record != null && record.serverHealth() == Health.UP) {
                sum += record.utilisation();
                up++;
            } else if (record != null) {
                down++;
            }
            LockSupport.parkNanos(cluster.timing().publishInterval().toNanos());
        }
        return new Published(up > 0 ? sum / up : 0, up + down > 0 ? (double) down / (up + down) : 0);
    }

    private static double cpuSeconds(NodeConfig node) throws IOException {
        long parent = Long.parseLong(
                Files.readString(node.server().controlled().pidFile()).strip());
        double seconds = ProcessFigures.cpuSeconds(parent);
        for (ProcessHandle child :
                ProcessHandle.of(parent).orElseThrow().descendants().toList()) {
            seconds += ProcessFigures.cpuSeconds(child.pid());
        }
        return seconds;
    }

    @Override
    public void close() {
        app.close();
        servers.close();
        ports.close();
    }
}
