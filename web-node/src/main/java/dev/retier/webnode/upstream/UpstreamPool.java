package dev.retier.webnode.upstream;

import dev.retier.webnode.config.AppTarget;
import dev.retier.webnode.core.Balancer;
import dev.retier.webnode.measure.NodeCounters;
import dev.retier.webnode.measure.NodeStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.xnio.XnioIoThread;

/** The app nodes of one proxy configuration. Immutable; the nodes in it are shared with its successors. Thread-safe. */
public final class UpstreamPool {
    private final UpstreamSettings settings;
    private final List<Member> members;

    private record Member(Upstream upstream, int weight) {}

    private UpstreamPool(UpstreamSettings settings, List<Member> members) {
        this.settings = settings;
        this.members = List.copyOf(members);
    }

    /** A pool of no app nodes: the predecessor of the first real one. */
    public static UpstreamPool empty(UpstreamSettings settings) {
        return new UpstreamPool(settings, List.of());
    }

    /** The pool for {@code targets}; app nodes known already keep their connections, counts and bench. */
    public UpstreamPool successor(List<AppTarget> targets) {
        List<Member> next = new ArrayList<>(targets.size());
        for (AppTarget target : targets) {
            next.add(new Member(known(target), target.weight()));
        }
        return new UpstreamPool(settings, next);
    }

    /** Closes what {@code successor} has no use for. Requests on their way still finish. */
    public void retireExcept(UpstreamPool successor) {
        for (Member member : members) {
            if (successor.members.stream().noneMatch(kept -> kept.upstream == member.upstream)) {
                member.upstream.retire();
            }
        }
    }

    /**
     * Sends {@code request} to the least busy app, and to others when it fails.
     *
     * @param thread the calling I/O thread; {@code whenDone} is called on it, exactly once
     */
    public void fetch(XnioIoThread thread, UpstreamRequest request, Consumer<FetchOutcome> whenDone) {
        new Fetch(this, thread, request, whenDone).tryNext();
    }

    /** True when at least one app node is not benched. */
    public boolean anyInPlay(long nowNanos) {
        return members.stream().anyMatch(member -> !member.upstream.isBenched(nowNanos));
    }

    /** The app nodes, in the order of the file. */
    public List<NodeStatus.Upstream> status(long nowNanos) {
        return members.stream()
                .map(member -> member.upstream.status(member.weight, nowNanos))
                .toList();
    }

    int maxTries() {
        return settings.limits().upstreamTries();
    }

    NodeCounters counters() {
        return settings.counters();
    }

    Upstream upstream(int index) {
        return members.get(index).upstream;
    }

    int pick(BitSet tried) {
        long nowNanos = System.nanoTime();
        List<Balancer.Candidate> candidates = new ArrayList<>(members.size());
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            candidates.add(new Balancer.Candidate(
                    member.upstream.inFlight(), member.weight, member.upstream.isBenched(nowNanos), tried.get(i)));
        }
        return Balancer.pick(candidates, ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
    }

    private Upstream known(AppTarget target) {
        return members.stream()
                .map(Member::upstream)
                .filter(upstream -> upstream.isAt(target))
                .findFirst()
                .orElseGet(() -> new Upstream(target, settings));
    }
}
