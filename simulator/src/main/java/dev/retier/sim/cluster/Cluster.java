package dev.retier.sim.cluster;

import dev.retier.agent.command.Command;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.view.Stamps;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The nodes of a cluster with their agents, over the servers of a {@link Service}. Not thread-safe. */
public final class Cluster {
    /** Wall clocks count from here in simulated boots: any day will do. */
    private static final long BOOT_SECONDS = 1_000_000;

    private final VirtualTime time;
    private final ClusterConfig config;
    private final Service service;
    private final Settings settings;
    private final Node[] nodes;
    private final Agent[] agents;
    private final Fabric fabric;
    private final int[] witnesses;
    private final Map<NodeId, Integer> places = new LinkedHashMap<>();
    private final Map<HostPort, Integer> servers = new HashMap<>();
    private final Map<SiteId, Integer> siteIndices = new HashMap<>();
    private final List<FrontEdge> edges = new ArrayList<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final Chronicle chronicle = new Chronicle();
    private final double[] clockRates;
    private final long[] secondsBehind;
    private ClusterListener listener = ClusterListener.NONE;
    private final Traffic traffic = new Traffic();
    private int followed;

    /**
     * What is not in the configuration.
     *
     * @param delays how long things take
     * @param unitsPerLook work that a look takes from the server beside the agent
     * @param seed of all that is random: when agents start, how long reloads take
     * @param looks how agents look
     */
    public record Settings(Delays delays, double unitsPerLook, long seed, Looks looks) {
        /** Agents that look as those that ship. */
        public Settings(Delays delays, double unitsPerLook, long seed) {
            this(delays, unitsPerLook, seed, Looks.ALL);
        }
    }

    /** All nodes serve what the configuration says, and the servers run it; no agent runs yet. */
    public Cluster(VirtualTime time, ClusterConfig config, Service service, Settings settings) {
        this.time = time;
        this.config = config;
        this.service = service;
        this.settings = settings;
        this.nodes = new Node[config.nodes().size()];
        this.agents = new Agent[nodes.length];
        this.clockRates = new double[nodes.length];
        Arrays.fill(clockRates, 1);
        this.secondsBehind = new long[nodes.length];
        for (SiteConfig site : config.sites()) {
            edges.add(new FrontEdge(this, siteIndices.size(), site, settings.delays.edgeNanos()));
            siteIndices.put(site.id(), siteIndices.size());
        }
        for (int index = 0; index < nodes.length; index++) {
            NodeConfig node = config.nodes().get(index);
            places.put(node.id(), index);
            servers.put(node.server().address(), index);
            RoleWord first = Recovery.initialWord(List.of(), node.initialRole());
            nodes[index] = new Node(this, index, node, service.station(index), first);
            chronicle.starts(first, 0);
        }
        this.fabric = new Fabric(time, settings.delays.hopNanos(), nodes);
        this.witnesses = config.witnesses().stream().mapToInt(this::index).toArray();
        runFirstFiles();
    }

    private void runFirstFiles() {
        for (Node node : nodes) {
            node.begin(new Plan(Stamps.of(node.slot.word()), node.config.initialRole(), appsOf(node)));
        }
        for (SiteConfig site : config.sites()) {
            edge(site.id()).begin(serving(Role.serving(site.id(), Tier.PROXY)));
        }
    }

    private List<Integer> appsOf(Node node) {
        return node.config.initialRole() instanceof Role.Serving(SiteId site, Tier tier) && tier == Tier.PROXY
                ? serving(Role.serving(site, Tier.APP))
                : List.of();
    }

    private List<Integer> serving(Role role) {
        return Arrays.stream(nodes)
                .filter(node -> node.slot.word().serves(role))
                .map(node -> node.index)
                .toList();
    }

    /** These hear of everything from now on, in this order. */
    public void listen(List<ClusterListener> heard) {
        listener = new Listeners(heard);
    }

    /** How fast the clock of a node runs, 1 for true time; for agents that start later. */
    public void clock(int node, double rate) {
        clockRates[node] = rate;
    }

    /** Starts all agents, spread over the first S. */
    public void startAgents() {
        SplittableRandom random = new SplittableRandom(settings.seed);
        long spreadNanos = config.timing().sensitivity().toNanos();
        for (Node node : nodes) {
            agents[node.index] = new Agent(this, node, clockRates[node.index]);
            agents[node.index].start(random.nextLong(spreadNanos));
        }
    }

    /** The agent of a node, with its machine if so wanted, ends without a word. */
    public void crash(int node, boolean withServer) {
        if (nodes[node].isAgentUp) {
            nodes[node].isAgentUp = false;
            agents[node].end();
        }
        if (withServer) {
            crashServer(node);
        }
        while (followed < nodes.length - 1 && !nodes[followed].isAgentUp) {
            followed++;
        }
    }

    /** The agent of a node is asked to finish or undo its own move, to let go of locks, and to end. */
    public void stop(int node) {
        if (nodes[node].isAgentUp) {
            agents[node].stop();
        }
    }

    void left(int node) {
        crash(node, false);
    }

    /** An operator commands something at the agent of a node, which must be up. */
    public void command(int node, long ticket, Command command) {
        agents[node].command(new LoopEvent.Commanded(ticket, command));
    }

    /** Whether an operator has paused the agent of a node alone. */
    public boolean isPausedHere(int node) {
        return nodes[node].isPausedHere;
    }

    /** Whether operators have paused the cluster, as far as the disk of a node knows. */
    public boolean isClusterPaused(int node) {
        return nodes[node].pause.isPaused();
    }

    /** The server of a node ends. */
    public void crashServer(int node) {
        nodes[node].station.crash();
    }

    /** A server that has ended starts again, by the file that it finds. */
    public void restartServer(int node) {
        if (!nodes[node].station.isUp()) {
            nodes[node].boot(time.nowNanos());
        }
    }

    /** What was crashed starts again, with what its journal says. */
    public void restart(int index) {
        Node node = nodes[index];
        restartServer(index);
        if (node.isAgentUp) {
            return;
        }
        node.isAgentUp = true;
        node.isFormer = false;
        node.bootNumber = Recovery.bootNumber(
                OptionalLong.of(node.bootNumber),
                BOOT_SECONDS + time.nowNanos() / 1_000_000_000L - secondsBehind[index]);
        RoleWord word = Recovery.initialWord(node.journal, node.config.initialRole());
        chronicle.changed(node.slot.word(), word, seconds());
        node.slot.restart(node.config.id(), word.atBoot(node.bootNumber), node.bootNumber);
        listener.wordAtBoot(index, node.slot.word());
        agents[index] = new Agent(this, node, clockRates[index]);
        agents[index].start(0);
        followed = Math.min(followed, index);
    }

    /** Cuts the link between two agents, one way, or mends it. */
    public void cut(int from, int to, boolean isCut) {
        fabric.cut(from, to, isCut);
    }

    /** Whether the agent of one node can ask the server of another whether it lives. */
    public void cutRequests(int from, int to, boolean isCut) {
        fabric.cutRequests(from, to, isCut);
    }

    /** Holds back until then what goes from one agent to another, one way. */
    public void stall(int from, int to, long untilNanos) {
        fabric.stall(from, to, untilNanos);
    }

    /** The agent of a node stands still until then. */
    public void pause(int node, long untilNanos) {
        agents[node].pause(untilNanos);
    }

    /** Whether the agent of a node stands still. */
    public boolean isPaused(int node) {
        return agents[node] != null && agents[node].isPaused();
    }

    /** What is wrong with the server of a node besides its end. */
    public ServerTrouble trouble(int node) {
        return nodes[node].trouble;
    }

    /** What is wrong with the disk of a node. */
    public DiskTrouble disk(int node) {
        return nodes[node].disk;
    }

    /** What a node has on disk of its moves, the oldest first. */
    public List<MoveRecord> journal(int node) {
        return Collections.unmodifiableList(nodes[node].journal);
    }

    /** How far the wall clock of a node is behind when its agent starts the next times, in seconds. */
    public void setClockBack(int node, long seconds) {
        secondsBehind[node] = seconds;
    }

    /** The agent of a node is of the version before until it starts again: announcements reach and leave it not. */
    public void former(int node) {
        nodes[node].isFormer = true;
    }

    /** Whether the agent of a node lives. */
    public boolean isAgentUp(int node) {
        return nodes[node].isAgentUp;
    }

    /** What has happened. */
    public Chronicle chronicle() {
        return chronicle;
    }

    /** What the agents have sent. */
    public Traffic traffic() {
        return traffic;
    }

    /** How often each reason was the answer of a look, by name. */
    public Map<String, Long> reasons() {
        return reasons;
    }

    ClusterConfig config() {
        return config;
    }

    VirtualTime time() {
        return time;
    }

    Delays delays() {
        return settings.delays;
    }

    long seed() {
        return settings.seed;
    }

    Looks looks() {
        return settings.looks;
    }

    Fabric fabric() {
        return fabric;
    }

    int size() {
        return nodes.length;
    }

    Node node(int index) {
        return nodes[index];
    }

    int[] witnesses() {
        return witnesses;
    }

    int index(NodeId id) {
        return Objects.requireNonNull(places.get(id), "a node of the cluster");
    }

    int index(HostPort server) {
        return Objects.requireNonNull(servers.get(server), "a server of the cluster");
    }

    int siteIndex(SiteId id) {
        return Objects.requireNonNull(siteIndices.get(id), "a site of the cluster");
    }

    double seconds() {
        return service.elapsedNanos() / 1e9;
    }

    ClusterListener listener() {
        return listener;
    }

    void wordChanged(int node, RoleWord before, RoleWord now) {
        chronicle.changed(before, now, seconds());
        listener.wordChanged(node, before, now);
    }

    void decided(int node, Decision decision) {
        listener.decided(node, decision);
        reasons.merge(decision.reasonWord(), 1L, Long::sum);
    }

    /** A look takes processor time of the machine that makes it. */
    void chargeLook(Node node) {
        if (settings.unitsPerLook > 0) {
            long _ = node.station.admit(time.nowNanos(), settings.unitsPerLook);
        }
    }

    void announced(int from) {
        announced(from, places.keySet());
    }

    void announced(int from, Set<NodeId> told) {
        NodeId caller = nodes[from].config.id();
        for (NodeId id : told) {
            int to = index(id);
            traffic.announced(to == from ? 0 : 1);
            boolean isWoken = !nodes[from].isFormer && !nodes[to].isFormer && fabric.isOpen(from, to);
            if (agents[to] != null && isWoken) {
                agents[to].heard(caller);
            }
        }
    }

    boolean isFollowed(int node) {
        return node == followed;
    }

    /** What stands before the proxies of a site. */
    public FrontEdge edge(SiteId site) {
        return edges.get(siteIndex(site));
    }

    void follow(int site, List<Integer> proxies) {
        service.follow(site, proxies);
    }

    /** An edge tells the agent of a node what it runs; returns whether there is one that hears it. */
    boolean told(int node, EdgeWord word) {
        return nodes[node].isAgentUp && agents[node] != null && agents[node].told(word);
    }

    /** The role word of a node, the only truth about its role. */
    public RoleWord word(int node) {
        return nodes[node].slot.word();
    }
}
