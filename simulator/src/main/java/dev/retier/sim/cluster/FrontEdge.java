package dev.retier.sim.cluster;

import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.NewestTargets;
import dev.retier.agent.render.TargetList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the proxies of one site: takes the lists of the agent that is followed, runs each a while later,
 * and tells all agents under the name of each configured edge of the site what it runs, as {@code agent.edge} does over
 * HTTP. Not thread-safe.
 */
public final class FrontEdge {
    private static final long AGAIN_NANOS = 1_000_000_000L;
    /** That it is still so, for agents that know nothing of it. */
    private static final long STILL_NANOS = 10_000_000_000L;

    private final Cluster cluster;
    private final int site;
    private final List<EdgeConfig> edges;
    private final NewestTargets lists = new NewestTargets();
    private long delayNanos;
    private @Nullable TargetList taken;
    private List<Integer> running = List.of();
    private long number;
    private boolean isStill;

    FrontEdge(Cluster cluster, int site, SiteConfig config, long delayNanos) {
        this.cluster = cluster;
        this.site = site;
        this.delayNanos = delayNanos;
        this.edges = cluster.config().edges().stream()
                .filter(edge -> edge.site().equals(config.id()))
                .toList();
    }

    /** How long a list takes until it is in force. */
    public void delay(long nanos) {
        delayNanos = nanos;
    }

    /** Whether it takes and tells nothing, and goes on sending where it sends. */
    public void standStill(boolean isWanted) {
        isStill = isWanted;
    }

    /** Whether it says what it runs. */
    public boolean isTelling() {
        return !edges.isEmpty();
    }

    /** Where it truly sends. */
    public List<Integer> running() {
        return running;
    }

    /** What it sends to before any agent has said anything. */
    void begin(List<Integer> proxies) {
        cluster.time().after(delayNanos, () -> run(proxies));
    }

    /** The followed agent, in this life of it, has this list now. */
    void offered(Object agent, TargetList list) {
        boolean isNews = !isStill && lists.counts(agent, list, cluster.time().nowNanos()) && !list.equals(taken);
        if (isNews) {
            taken = list;
            cluster.time().after(delayNanos, () -> run(list));
        }
    }

    /** A list that comes into force while it stands still does so when it goes on, by the next look of the agent. */
    private void run(TargetList list) {
        if (isStill) {
            taken = list.equals(taken) ? null : taken;
            return;
        }
        run(list.targets().stream().map(cluster::index).toList());
        if (isTelling()) {
            long own = ++number;
            for (int node = 0; node < cluster.size(); node++) {
                tell(node, list, own);
            }
        }
    }

    private void run(List<Integer> proxies) {
        if (!proxies.isEmpty() && !proxies.equals(running)) {
            running = proxies;
            cluster.follow(site, proxies);
        }
    }

    private void tell(int node, TargetList list, long own) {
        cluster.time().after(cluster.delays().hopNanos(), () -> {
            boolean isOld = own != number;
            if (isOld) {
                return;
            }
            boolean isSending = running.contains(node);
            boolean isHeard = !isStill
                    && edges.stream()
                            .allMatch(edge -> cluster.told(node, new EdgeWord(edge.name(), list.stamp(), isSending)));
            cluster.time().after(isHeard ? STILL_NANOS : AGAIN_NANOS, () -> tell(node, list, own));
        });
    }
}
