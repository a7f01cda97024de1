package dev.retier.agent.daemon;

import dev.retier.agent.apply.LoadsFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.AppLoads;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.Optional;

/** Tells a proxy how busy the apps are. Owned by the loop's thread. */
final class LoadsTeller {
    private final NodeId self;
    private final LoadsFile file;
    /** Of the newest look; begins at what no agent before has come to. */
    private long lookNumber = System.nanoTime();

    private long toldNanos = lookNumber - Duration.ofHours(1).toNanos();

    LoadsTeller(NodeId self, LoadsFile file) {
        this.self = self;
        this.file = file;
    }

    /** Looks that follow each other sooner show the same figures, of which a proxy would take all but one for news. */
    void tell(ClusterConfig cluster, ClusterView view) {
        long nowNanos = System.nanoTime();
        if (nowNanos - toldNanos >= cluster.timing().publishInterval().toNanos()) {
            toldNanos = nowNanos;
            lookNumber++;
            AppLoads.of(view, self, cluster.timing(), id -> counted(cluster.node(id)), lookNumber)
                    .ifPresent(file::offer);
        }
    }

    private static Optional<String> counted(NodeConfig app) {
        return app.servers().stream().filter(ServerConfig::canBeApp).allMatch(ServerConfig::countsRequests)
                ? Optional.of(app.name())
                : Optional.empty();
    }
}
