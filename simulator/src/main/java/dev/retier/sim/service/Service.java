package dev.retier.sim.service;

import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.time.VirtualTime;
import java.util.Arrays;
import java.util.List;

/**
 * All servers, all clients, and what goes between them. A request is two or three events: it arrives at a proxy, it
 * arrives at an app node if it is forwarded, its answer arrives at the client. As in the web-node, a proxy works on a
 * request once, before it forwards it; one fetch at a time per object; a request ends under the configuration it began
 * with. Not thread-safe.
 */
public final class Service {
    private static final int ARRIVES = 0;
    private static final int AT_APP = 1;
    private static final int ENDS = 2;
    private static final int COMES = 3;
    private static final int FAILS = 4;
    private static final int BEGINS = 5;
    private static final int MAX_TRIES = 3;
    /** After a refused connection a client comes back this much later, as a load generator does. */
    private static final long REFUSED_NANOS = 10_000_000L;

    private final VirtualTime time;
    private final NodeCosts costs;
    private final long hopNanos;
    private final Station[] stations;
    private final Pool[] pools;
    private final Edge[] edges;
    private final Ledger[] ledgers;
    private final Requests requests = new Requests();
    private final int objects;
    private Listener listener = (_, _) -> {};
    private long beganNanos;
    private int idlePools;

    /** Hears of each request as it is sent. */
    @FunctionalInterface
    public interface Listener {
        /** Request {@code index} of workload {@code demand} is about to be sent. */
        void sending(int demand, int index);
    }

    /** What a data-center is made of. */
    public record Parts(NodeCosts costs, List<Double> unitsPerSecond, int sites, List<Demand> demands, long hopNanos) {}

    private static final class Pool {
        final Workload workload;
        final Clients clients;
        final int objectBase;
        int next;
        boolean isOver;
        boolean isRepeated;
        boolean isEnded;
        long openedNanos;

        Pool(Demand demand, int objectBase) {
            this.workload = demand.workload();
            this.clients = demand.clients();
            this.objectBase = objectBase;
        }
    }

    /** All nodes are spare, and nobody asks yet. */
    public Service(VirtualTime time, Parts parts) {
        this.time = time;
        this.costs = parts.costs;
        this.hopNanos = parts.hopNanos;
        this.stations = new Station[parts.unitsPerSecond.size()];
        Arrays.setAll(stations, node -> new Station(parts.unitsPerSecond.get(node), node));
        this.pools = new Pool[parts.demands.size()];
        int sum = 0;
        for (int pool = 0; pool < pools.length; pool++) {
            pools[pool] = new Pool(parts.demands.get(pool), sum);
            sum += pools[pool].workload.objectCount();
        }
        this.objects = sum;
        Clients[] clients = Arrays.stream(pools).map(pool -> pool.clients).toArray(Clients[]::new);
        this.edges = new Edge[parts.sites];
        Arrays.setAll(edges, _ -> new Edge(clients));
        this.ledgers = new Ledger[parts.sites];
        Arrays.setAll(ledgers, _ -> new Ledger());
    }

    /** The server of a node. */
    public Station station(int node) {
        return stations[node];
    }

    /** What became of the requests of a site. */
    public Ledger ledger(int site) {
        return ledgers[site];
    }

    /** Requests are heard of by {@code heard}. */
    public void listen(Listener heard) {
        listener = heard;
    }

    /** Requests for a site go to these nodes from now on. */
    public void follow(int site, List<Integer> nodes) {
        edges[site].follow(nodes);
    }

    /** At that time all clients begin; all figures count from there. */
    public void beginAt(long atNanos) {
        beganNanos = atNanos;
        time.add(atNanos, BEGINS, 0);
    }

    private void begin() {
        for (int pool = 0; pool < pools.length; pool++) {
            begin(pool);
        }
    }

    private void begin(int pool) {
        pools[pool].openedNanos = time.nowNanos();
        if (pools[pool].clients.isOpen()) {
            comesNext(pool);
        } else {
            for (int client = 0; client < pools[pool].clients.count(); client++) {
                askNext(pool, client);
            }
        }
    }

    /** The clients of one load begin now, without {@link #beginAt}, and begin anew when all was asked for. */
    public void repeat(int demand) {
        pools[demand].isRepeated = true;
        begin(demand);
    }

    /** The clients of one load ask for nothing any more. */
    public void end(int demand) {
        pools[demand].isEnded = true;
    }

    /** Whether there is nothing (more) to ask for. */
    private boolean isExhausted(Pool asked) {
        if (asked.isRepeated && asked.next == asked.workload.size()) {
            asked.next = 0;
            asked.openedNanos = time.nowNanos();
        }
        return asked.isEnded || asked.next == asked.workload.size();
    }

    /** Since {@link #beginAt}; negative before. */
    public long elapsedNanos() {
        return time.nowNanos() - beganNanos;
    }

    /** Whether all workloads were asked for and answered. */
    public boolean isOver() {
        return idlePools == pools.length && requests.underWay() == 0;
    }

    /** Handles one event. */
    public void on(int kind, int subject) {
        switch (kind) {
            case ARRIVES -> arrives(subject);
            case AT_APP -> atApp(subject);
            case ENDS -> ends(subject);
            case COMES -> comes(subject);
            case FAILS -> fails(subject);
            case BEGINS -> begin();
            default -> throw new IllegalStateException("an event of kind " + kind);
        }
    }

    private void askNext(int pool, int client) {
        Pool asked = pools[pool];
        if (isExhausted(asked)) {
            over(asked);
            return;
        }
        send(pool, client, asked.next++);
    }

    private void over(Pool pool) {
        if (!pool.isOver) {
            pool.isOver = true;
            idlePools++;
        }
    }

    /** The next request of an open loop is due at its time in the trace. */
    private void comesNext(int pool) {
        Pool asked = pools[pool];
        if (isExhausted(asked)) {
            over(asked);
            return;
        }
        long offset = asked.workload.offsetNanos(asked.next) - asked.workload.offsetNanos(0);
        time.add(asked.openedNanos + (long) (offset / asked.clients.speed()), COMES, pool);
    }

    private void comes(int pool) {
        send(pool, Requests.NONE, pools[pool].next++);
        comesNext(pool);
    }

    private void send(int pool, int client, int index) {
        listener.sending(pool, index);
        int request = requests.take();
        requests.pool[request] = pool;
        requests.client[request] = client;
        requests.index[request] = index;
        requests.sentNanos[request] = time.nowNanos();
        int site = pools[pool].workload.site(index);
        ledgers[site].sent(elapsedNanos());
        Edge edge = edges[site];
        if (edge.isEmpty()) {
            time.add(time.nowNanos() + REFUSED_NANOS, FAILS, request);
            return;
        }
        requests.proxy[request] = client == Requests.NONE ? edge.next(stations) : edge.proxyOf(pool, client, stations);
        time.add(time.nowNanos() + hopNanos, ARRIVES, request);
    }

    private void arrives(int request) {
        Station node = stations[requests.proxy[request]];
        long now = time.nowNanos();
        if (!node.enter(true, now)) {
            requests.proxy[request] = Requests.NONE;
            time.add(now + REFUSED_NANOS, FAILS, request);
            return;
        }
        requests.proxyLife[request] = node.life();
        Pool pool = pools[requests.pool[request]];
        boolean isDynamic = pool.workload.isDynamic(requests.index[request]);
        if (!node.isProxy()) {
            endsAt(request, node.admit(now, isDynamic ? costs.dynamic() : costs.staticOrigin()) + hopNanos);
        } else if (isDynamic) {
            forward(request, node, now);
        } else {
            serveFile(request, node, now);
        }
    }

    private void serveFile(int request, Station node, long now) {
        int object = object(request);
        int cell = node.cell(object, objects);
        if (cell == 0) {
            requests.isLeader[request] = true;
            node.fetching(object, request + 1);
            forward(request, node, now);
            return;
        }
        node.hit();
        long readyNanos = node.admit(now, costs.staticHit());
        if (Station.isCached(cell)) {
            endsAt(request, readyNanos + hopNanos);
        } else {
            int leader = cell - 1;
            requests.readyNanos[request] = readyNanos;
            requests.next[request] = requests.next[leader];
            requests.next[leader] = request;
        }
    }

    private int object(int request) {
        Pool pool = pools[requests.pool[request]];
        return pool.objectBase + pool.workload.object(requests.index[request]);
    }

    private void forward(int request, Station node, long now) {
        time.add(node.admit(now, costs.forward()) + hopNanos, AT_APP, request);
    }

    private void endsAt(int request, long atNanos) {
        time.add(atNanos, ENDS, request);
    }

    private void atApp(int request) {
        Station proxy = stations[requests.proxy[request]];
        long now = time.nowNanos();
        if (proxy.life() != requests.proxyLife[request]) {
            fails(request);
            return;
        }
        int app = proxy.chooseApp(stations, now);
        if (app == Requests.NONE) {
            fails(request);
            return;
        }
        requests.app[request] = app;
        requests.appLife[request] = stations[app].life();
        if (!stations[app].enter(false, now)) {
            proxy.answeredBy(app, requests.proxyLife[request]);
            requests.app[request] = Requests.NONE;
            fails(request);
            return;
        }
        boolean isDynamic = pools[requests.pool[request]].workload.isDynamic(requests.index[request]);
        long done = stations[app].admit(now, isDynamic ? costs.dynamic() : costs.staticOrigin());
        endsAt(request, done + 2 * hopNanos);
    }

    private void ends(int request) {
        int app = requests.app[request];
        Station proxy = stations[requests.proxy[request]];
        boolean isProxyAlive = proxy.life() == requests.proxyLife[request];
        if (app != Requests.NONE) {
            boolean isAppAlive = stations[app].life() == requests.appLife[request];
            stations[app].leave(requests.appLife[request]);
            proxy.answeredBy(app, requests.proxyLife[request]);
            requests.app[request] = Requests.NONE;
            if (!isAppAlive && isProxyAlive && ++requests.tries[request] < MAX_TRIES) {
                atApp(request);
                return;
            }
            if (!isAppAlive) {
                fails(request);
                return;
            }
        }
        if (!isProxyAlive) {
            fails(request);
            return;
        }
        fetchEnds(request, proxy, true);
        proxy.leave(requests.proxyLife[request]);
        letGo(request, proxy);
        ledgerOf(request).done(requests.sentNanos[request] - beganNanos, elapsedNanos());
        finish(request);
    }

    private void letGo(int request, Station proxy) {
        int client = requests.client[request];
        if (client != Requests.NONE) {
            int pool = requests.pool[request];
            int site = pools[pool].workload.site(requests.index[request]);
            edges[site].answered(
                    pool, client, requests.proxy[request], proxy.plan().letGo());
        }
    }

    /** Those that waited for the object are answered, or fail with it. */
    private void fetchEnds(int request, Station proxy, boolean isGood) {
        if (!requests.isLeader[request]) {
            return;
        }
        proxy.fetched(object(request), request + 1, isGood);
        int waiting = requests.next[request];
        while (waiting != Requests.NONE) {
            int after = requests.next[waiting];
            requests.next[waiting] = Requests.NONE;
            long atNanos = Math.max(time.nowNanos(), requests.readyNanos[waiting]);
            time.add(atNanos, isGood ? ENDS : FAILS, waiting);
            waiting = after;
        }
    }

    private void fails(int request) {
        int node = requests.proxy[request];
        if (node != Requests.NONE) {
            fetchEnds(request, stations[node], false);
            stations[node].leave(requests.proxyLife[request]);
        }
        ledgerOf(request).failed(elapsedNanos());
        finish(request);
    }

    private Ledger ledgerOf(int request) {
        return ledgers[pools[requests.pool[request]].workload.site(requests.index[request])];
    }

    private void finish(int request) {
        int pool = requests.pool[request];
        int client = requests.client[request];
        requests.give(request);
        if (client != Requests.NONE) {
            askNext(pool, client);
        }
    }
}
