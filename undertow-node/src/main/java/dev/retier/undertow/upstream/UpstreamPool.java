package dev.retier.undertow.upstream;

import dev.retier.balance.Balancer;
import dev.retier.balance.Loads;
import dev.retier.undertow.role.AppTarget;
import dev.retier.undertow.status.NodeCounters;
import dev.retier.undertow.status.NodeStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The app nodes of one proxy configuration, which never change; they are shared with its successors. Thread-safe: a
 * lock guards the choice among them.
 */
public final class UpstreamPool {
    private final UpstreamSettings settings;
    private final List<Member> members;

    private final ReentrantLock choice = new ReentrantLock();
    private final Balancer balancer;
    private final Choice asked = new Choice();

    private record Member(Upstream upstream, int weight) {}

    /** The apps at the time of a choice; guarded by {@link #choice}, so that no choice allocates anything. */
    private final class Choice implements Balancer.Apps {
        private BitSet tried = new BitSet();
        private long nowNanos;

        @Override
        public int inFlight(int index) {
            return members.get(index).upstream.inFlight();
        }

        @Override
        public Balancer.Standing standing(int index) {
            if (tried.get(index)) {
                return Balancer.Standing.OUT;
            }
            boolean isBenched = members.get(index).upstream.isBenched(nowNanos);
            return isBenched ? Balancer.Standing.BENCHED : Balancer.Standing.IN_PLAY;
        }
    }

    private UpstreamPool(UpstreamSettings settings, List<Member> members, Balancer balancer) {
        this.settings = settings;
        this.members = List.copyOf(members);
        this.balancer = balancer;
    }

    /** A pool of no app nodes: the predecessor of the first real one. */
    public static UpstreamPool empty(UpstreamSettings settings) {
        return new UpstreamPool(settings, List.of(), new Balancer(List.of(), ThreadLocalRandom.current()));
    }

    /** The pool for {@code targets}; app nodes known already keep their connections, counts and bench. */
    public UpstreamPool successor(List<AppTarget> targets) {
        List<Member> next = new ArrayList<>(targets.size());
        for (AppTarget target : targets) {
            next.add(new Member(known(target), target.weight()));
        }
        List<Balancer.Member> apps = targets.stream()
                .map(target -> new Balancer.Member(target.node(), target.weight()))
                .toList();
        return new UpstreamPool(settings, next, heir(apps));
    }

    private Balancer heir(List<Balancer.Member> apps) {
        choice.lock();
        try {
            return balancer.successor(apps, ThreadLocalRandom.current());
        } finally {
            choice.unlock();
        }
    }

    /** Sends by these loads of the app nodes from now on; by the own requests alone if they are null. */
    public void goBy(@Nullable Loads loads) {
        choice.lock();
        try {
            if (loads == null) {
                balancer.forget();
            } else {
                balancer.tell(loads);
            }
        } finally {
            choice.unlock();
        }
    }

    /** Whether it sends by loads. */
    public boolean goesByLoads() {
        choice.lock();
        try {
            return balancer.isTold();
        } finally {
            choice.unlock();
        }
    }

    /** Closes what {@code successor} has no use for. Requests on their way still finish. */
    public void retireExcept(UpstreamPool successor) {
        for (Member member : members) {
            if (successor.members.stream().noneMatch(kept -> kept.upstream == member.upstream)) {
                member.upstream.retire();
            }
        }
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

    /** The limits that count for all of them. */
    public UpstreamLimits limits() {
        return settings.limits();
    }

    /** Where requests to them are counted. */
    public NodeCounters counters() {
        return settings.counters();
    }

    Upstream upstream(int index) {
        return members.get(index).upstream;
    }

    int pick(BitSet tried) {
        choice.lock();
        try {
            asked.tried = tried;
            asked.nowNanos = System.nanoTime();
            return balancer.pick(asked, ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        } finally {
            choice.unlock();
        }
    }

    private Upstream known(AppTarget target) {
        return members.stream()
                .map(Member::upstream)
                .filter(upstream -> upstream.isAt(target))
                .findFirst()
                .orElseGet(() -> new Upstream(target, settings));
    }
}
