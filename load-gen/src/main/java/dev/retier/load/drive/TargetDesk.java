package dev.retier.load.drive;

import dev.retier.load.http.RequestHead;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.Target;
import dev.retier.load.target.TargetFollower;
import dev.retier.load.target.TargetList;
import dev.retier.traces.play.Assignment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Keeps the current distribution of the clients over the targets. Thread-safe. */
final class TargetDesk {
    private static final Logger LOG = LoggerFactory.getLogger(TargetDesk.class);

    private final TargetFollower follower;
    private final Names names;
    private final int clients;
    private final boolean stays;
    private final @Nullable String host;
    private final RequestHead.Options options;
    private final @Nullable TlsOptions tls;
    private final CountDownLatch first = new CountDownLatch(1);
    private int turn; // guarded by this
    private volatile @Nullable Board board;
    private volatile Runnable onChange = () -> {};

    /** What a name stands for. */
    @FunctionalInterface
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** One distribution and its addresses. Immutable. */
    record Board(Assignment<Target> assignment, Map<Target, Destination> destinations) {
        Destination destination(Target target) {
            Destination known = destinations.get(target);
            if (known == null) {
                throw new IllegalStateException("no address of " + target);
            }
            return known;
        }

        boolean lists(Target target) {
            return destinations.containsKey(target);
        }
    }

    TargetDesk(LoadPlan plan) {
        this(plan, InetAddress::getAllByName);
    }

    TargetDesk(LoadPlan plan, Names names) {
        this.names = names;
        this.follower = new TargetFollower(plan.site());
        this.clients = plan.clients();
        this.stays = plan.connections() == Connections.STAY;
        this.host = plan.host();
        this.tls = plan.tls();
        this.options =
                new RequestHead.Options(plan.connections() != Connections.NEW, plan.conditional(), plan.headers());
    }

    /** Called by the source's threads with every list that arrives. */
    void offer(TargetList list) {
        // A slow name service keeps this thread waiting, and nobody else.
        TargetFollower.Verdict verdict = take(list, addresses(list));
        switch (verdict) {
            case CHANGED -> {
                LOG.atLevel(first.getCount() == 0 ? Level.INFO : Level.DEBUG)
                        .log("targets of {} at epoch {}: {}", list.site(), list.epoch(), list.targets());
                first.countDown();
                onChange.run();
            }
            case SAME, IGNORED_OLDER, IGNORED_EMPTY, IGNORED_OTHER_SITE -> LOG.debug("target list {}", verdict);
        }
    }

    /** Whether the first list came within {@code wait}. */
    boolean awaitFirst(Duration wait) throws InterruptedException {
        return first.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    void onChange(Runnable action) {
        onChange = action;
    }

    /** The current distribution; call it only after the first list came. */
    Board board() {
        Board current = board;
        if (current == null) {
            throw new IllegalStateException("no target list yet");
        }
        return current;
    }

    /** The targets whose names no address is known of. */
    List<Target> unknown() {
        return board().destinations().values().stream()
                .filter(destination -> destination.addresses().getFirst().isUnresolved())
                .map(Destination::target)
                .toList();
    }

    /** The server of this client has ended their connection; one that stays looks for another. */
    synchronized void letGo(int client) {
        Board now = board;
        if (stays && now != null) {
            board = new Board(now.assignment().elsewhere(client, turn++), now.destinations());
        }
    }

    synchronized TargetList current() {
        return follower.current();
    }

    synchronized FollowReport report() {
        return follower.report();
    }

    private synchronized TargetFollower.Verdict take(TargetList list, Map<Target, List<InetSocketAddress>> addresses) {
        TargetFollower.Verdict verdict = follower.offer(list);
        if (verdict == TargetFollower.Verdict.CHANGED) {
            Board old = board;
            Assignment<Target> next = old == null
                    ? Assignment.spread(clients, list.targets())
                    : stays
                            ? old.assignment().staying(list.targets())
                            : old.assignment().over(list.targets());
            board = new Board(next, destinations(list, addresses));
        }
        return verdict;
    }

    private Map<Target, Destination> destinations(TargetList list, Map<Target, List<InetSocketAddress>> addresses) {
        Map<Target, Destination> destinations = new HashMap<>();
        for (Target target : list.targets()) {
            RequestHead head = new RequestHead(host == null ? target.authority() : host, options);
            destinations.put(
                    target,
                    new Destination(
                            target,
                            target.toString(),
                            Objects.requireNonNull(addresses.get(target)),
                            head,
                            serverName(target)));
        }
        return Map.copyOf(destinations);
    }

    /** Of each target; names that have been looked up are not again, until the list has other targets. */
    private Map<Target, List<InetSocketAddress>> addresses(TargetList list) {
        Board current = board;
        Map<Target, Destination> known = current == null ? Map.of() : current.destinations();
        boolean isSame = known.keySet().equals(Set.copyOf(list.targets()));
        Map<Target, List<InetSocketAddress>> addresses = new HashMap<>();
        for (Target target : list.targets()) {
            Destination old = known.get(target);
            addresses.put(
                    target,
                    old == null || (!isSame && old.addresses().getFirst().isUnresolved())
                            ? addresses(target)
                            : old.addresses());
        }
        return addresses;
    }

    /** All that the name stands for; where it stands for none, one that no connection can be made to. */
    private List<InetSocketAddress> addresses(Target target) {
        try {
            return Stream.of(names.addresses(target.host()))
                    .map(address -> new InetSocketAddress(address, target.port()))
                    .toList();
        } catch (UnknownHostException e) {
            LOG.warn("target {}: no address is known of that name; check it, and the name service", target);
            return List.of(InetSocketAddress.createUnresolved(target.host(), target.port()));
        }
    }

    private @Nullable String serverName(Target target) {
        if (tls == null && !target.secure()) {
            return null;
        }
        if (tls != null && tls.serverName() != null) {
            return tls.serverName();
        }
        return host == null ? target.host() : host.replaceFirst(":\\d+$", "").replaceAll("[\\[\\]]", "");
    }
}
