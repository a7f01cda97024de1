package dev.retier.sim.cluster;

import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.status.RefusalWatch;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Ground;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.sim.service.Plan;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the own server's file in step with the view. Not thread-safe. */
final class Follower {
    private static final long HURRY_NANOS = 60_000_000;
    /** What was refused is tried again after this. */
    private static final long RETRY_NANOS = 10_000_000_000L;

    private final Agent agent;
    private @Nullable Ground lastGround;
    private @Nullable Plan onDisk;
    private long writtenAtNanos;
    private @Nullable Plan lastGood;
    private @Nullable Plan goodBefore;
    private @Nullable Plan refused;
    private long refusedAtNanos;
    private boolean isPending;
    private final RefusalWatch refusals = new RefusalWatch();

    Follower(Agent agent) {
        this.agent = agent;
    }

    boolean isPending() {
        return isPending;
    }

    /** After a look, while no move of this node is under way. */
    void follow(ClusterView view, RoleWord own) {
        Ground ground = Ground.of(view, own, appliedStamp());
        if (!ground.equals(lastGround)
                && write(view, ground.role(), ground.stamp()).isEmpty()) {
            lastGround = ground;
        }
    }

    /** Puts a file on disk; says why not if it cannot: a proxy without any app node is never written. */
    Optional<RollbackReason> write(ClusterView view, Role role, long stamp) {
        lastGround = null;
        List<NodeId> apps = isProxy(role) ? Ground.apps(view, role) : List.of();
        if (isProxy(role) && apps.isEmpty()) {
            return Optional.of(RollbackReason.NOTHING_TO_RENDER);
        }
        long newest = Math.max(Math.max(stamp, onDisk == null ? 0 : onDisk.stamp()), appliedStamp());
        Plan next =
                new Plan(newest, role, apps.stream().map(agent.cluster()::index).toList());
        boolean isJustRefused = next.equals(refused) && agent.clock() - refusedAtNanos < RETRY_NANOS;
        refused = next.equals(refused) ? refused : null;
        if (!next.equals(onDisk) && !isJustRefused) {
            offer(next);
        }
        return Optional.empty();
    }

    private void offer(Plan next) {
        refused = null;
        isPending = true;
        install(next);
        agent.poller().hurry(HURRY_NANOS);
    }

    private void install(Plan next) {
        onDisk = next;
        refusals.written(agent.clock());
        writtenAtNanos = agent.clock();
        agent.node().install(next);
    }

    private static boolean isProxy(Role role) {
        return role instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
    }

    private long appliedStamp() {
        Poller.Sample sample = agent.poller().newest();
        return sample == null ? 0 : sample.status().appliedStamp();
    }

    /** Sees whether the server has taken the file written last; as {@code apply.RoleFileApplier} does. */
    void check(Poller.Sample sample) {
        boolean isRefused = refusals.isRefused(sample.status(), sample.askedAtNanos());
        Plan due = refused;
        if (due != null && !isPending && agent.clock() - refusedAtNanos >= RETRY_NANOS) {
            offer(due);
        }
        Plan written = onDisk;
        if (isPending) {
            agent.poller().hurry(HURRY_NANOS);
        }
        if (written == null || sample.askedAtNanos() < writtenAtNanos) {
            return;
        }
        if (isRefused) {
            lastGood = isPending ? lastGood : goodBefore;
            isPending = false;
            refused = written;
            refusedAtNanos = agent.clock();
            lastGround = null;
            onDisk = null;
            if (lastGood != null) {
                install(lastGood);
            }
        } else if (isPending
                && runs(sample.status(), written)
                && sample.status().lastRefusal() == null) {
            isPending = false;
            goodBefore = lastGood;
            lastGood = written;
        }
    }

    private boolean runs(ServerStatus status, Plan written) {
        String site = RoleText.site(written.role(), agent.cluster().config()).orElse(null);
        return status.runs(RoleText.tier(written.role()), site, written.stamp());
    }
}
