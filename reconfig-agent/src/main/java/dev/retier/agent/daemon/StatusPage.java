package dev.retier.agent.daemon;

import dev.retier.agent.access.Caller;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.decide.Valuation;
import dev.retier.agent.doctor.Checkup;
import dev.retier.agent.http.AdminApi;
import dev.retier.agent.http.EventRing;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.agent.status.Finding;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The agent's view as JSON, and its readiness. Thread-safe: reads what the loops leave for others. */
final class StatusPage implements AdminApi {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final double QUORUM = 0.5;

    /** The longest that one question to the own server takes. */
    private static final Duration POLL = Duration.ofSeconds(1);

    /** Both threads go round several times a second; what they wait for has deadlines far below this. */
    private static final Duration LIVE_WITHIN = Duration.ofSeconds(10);

    private final AgentConfig config;
    private final LoopDriver loop;
    private final Narrator narrator;
    private final StatusPoller poller;
    private final EdgesHeard edges;
    private final Checkup checkup;
    private final VolumeWatch volumes;
    private final CommandDesk commands;

    /** What the page tells of. */
    record Parts(
            LoopDriver loop,
            Narrator narrator,
            StatusPoller poller,
            EdgesHeard edges,
            Checkup checkup,
            VolumeWatch volumes,
            CommandDesk commands) {}

    StatusPage(AgentConfig config, Parts parts) {
        this.config = config;
        this.loop = parts.loop;
        this.narrator = parts.narrator;
        this.poller = parts.poller;
        this.edges = parts.edges;
        this.checkup = parts.checkup;
        this.volumes = parts.volumes;
        this.commands = parts.commands;
    }

    @Override
    public void edgeTold(String site, String word) {
        edges.offer(loop.shown().config(), site, word);
    }

    @Override
    public String statusJson() {
        LoopState now = loop.shown();
        ClusterView view = now.view();
        ObjectNode root = MAPPER.createObjectNode();
        root.put("cluster", config.cluster().name());
        root.put("node", config.node().name());
        root.put("mode", mode(now));
        root.put(
                "insecure",
                now.config().admin().isInsecureAt(config.node().agentAdmin().host()));
        root.put("rdma_security", config.cluster().rdmaTls().isPresent() ? "tls" : "trusted_network_only");
        root.put("paused_cluster", now.isClusterPaused());
        root.put("paused_here", now.isPausedHere());
        root.put("holds_move_lock", now.isHolding());
        root.put("epoch", view.maxEpoch());
        root.put("stamp_on_disk", now.stampOnDisk());
        root.put("unknown_share_ratio", view.unknownShare());
        SitesPage.show(root.putArray("sites"), now);
        ArrayNode nodes = root.putArray("nodes");
        view.nodes().values().forEach(node -> {
            ObjectNode out = nodes.addObject();
            node(out, node);
            out.put("config_differs", view.differing().contains(node.id()));
        });
        ArrayNode heard = root.putArray("edges");
        edges.show(now.config()).forEach(edge -> edge(heard.addObject(), edge));
        VolumesPage.show(root, volumes.newest(), now.config(), System.nanoTime());
        why(root, now);
        return MAPPER.writeValueAsString(root);
    }

    @Override
    public String explainJson() {
        LoopState now = loop.shown();
        ObjectNode root = MAPPER.createObjectNode();
        root.put("cluster", config.cluster().name());
        root.put("node", config.node().name());
        root.put("mode", mode(now));
        why(root, now);
        return MAPPER.writeValueAsString(root);
    }

    private static String mode(LoopState now) {
        return now.config().mode().name().toLowerCase(Locale.ROOT);
    }

    /** Why nodes move or stay, and what became of the moves of the own one. */
    private void why(ObjectNode root, LoopState now) {
        ArrayNode decisions = root.putArray("decisions");
        Policy policy = Policy.of(now.config());
        policy.sites().forEach(site -> {
            Decision decision = narrator.decisions().get(site.id());
            if (decision != null) {
                ObjectNode out = decisions.addObject();
                DecisionPage.show(out, decision, now.config());
                ValuePage.show(
                        out.putArray("by_value"),
                        Valuation.of(now.view(), now.history(), policy, site, now.atNanos()),
                        now.config());
            }
        });
        now.shadow()
                .ifPresent(shadow -> ShadowPage.show(root.putObject("shadow"), shadow, now.config(), now.atNanos()));
        MovesPage.showOwn(root.putArray("moves"), narrator.moves(), config.self(), config.cluster());
    }

    @Override
    public String configJson() {
        return ConfigPage.text(loop.shown().config());
    }

    @Override
    public long epoch() {
        return loop.shown().view().maxEpoch();
    }

    @Override
    public Answer command(Command command, Caller caller) throws InterruptedException {
        return commands.carryOut(command, caller);
    }

    @Override
    public void refused(Command command, Caller caller, String why) {
        commands.refused(command, caller, why);
    }

    @Override
    public String commandsJson() {
        return commands.newestJson();
    }

    @Override
    public String movesJson(long since, int most) {
        return MovesPage.since(since, most, narrator.moves(), config.cluster());
    }

    @Override
    public EventRing events() {
        return narrator.events();
    }

    /** What is not known is left out: an edge that has told nothing may run anything. */
    private void edge(ObjectNode out, EdgesHeard.Shown edge) {
        out.put("edge", edge.edge().name());
        out.put("site", RoleText.site(edge.edge().site(), config.cluster()));
        edge.word().ifPresent(word -> {
            out.put("stamp", word.stamp());
            out.put("sends_to_this_node", word.isSending());
            out.put("told_seconds_ago", edge.age().toMillis() / 1e3);
        });
    }

    private void node(ObjectNode out, NodeView node) {
        out.put("node", nodeName(node.id()));
        out.put("serving", node.isServing());
        switch (node) {
            case NodeView.Known known -> {
                out.put("reading", "known");
                word(out, known.word());
                load(out, known.load());
            }
            case NodeView.Silent silent -> {
                out.put("reading", silent.reason().name().toLowerCase(Locale.ROOT));
                word(out, silent.lastWord());
                out.put("server", silent.silence().name().toLowerCase(Locale.ROOT));
            }
            case NodeView.NeverSeen never ->
                out.put("reading", never.reason().name().toLowerCase(Locale.ROOT));
        }
    }

    private void word(ObjectNode out, RoleWord word) {
        out.put("role", RoleText.of(word.to(), config.cluster()));
        out.put("from", RoleText.of(word.from(), config.cluster()));
        out.put("phase", word.phase().name().toLowerCase(Locale.ROOT));
        out.put("epoch", word.epoch());
    }

    private static void load(ObjectNode out, LoadRecord load) {
        out.put("server", load.serverHealth().name().toLowerCase(Locale.ROOT));
        out.put("applied_stamp", load.appliedEpoch());
        out.put("utilisation_ratio", load.utilisation());
        out.put("cache_share_ratio", load.cacheShare());
        out.put("back_end_share_ratio", load.backEndShare());
        out.put("requests_per_second", load.requestsPerSecond());
        out.put("requests_in_service", load.requestsInService());
        out.put("capacity_units_per_second", load.capacityUnitsPerSecond());
    }

    private String nodeName(NodeId id) {
        return config.cluster().node(id).name();
    }

    @Override
    public List<Check> readiness() {
        LoopState now = loop.shown();
        double unknown = now.view().unknownShare();
        Duration silence = poller.silence();
        boolean isServerUp = !poller.isDown()
                && poller.newest() != null
                && silence.compareTo(now.config().timing().staleness().plus(POLL)) <= 0;
        Optional<String> journal = Optional.ofNullable(loop.keepingProblem());
        return List.of(
                check(
                        "peers",
                        unknown < QUORUM,
                        String.format(Locale.ROOT, "%.0f %% unknown", unknown * 100),
                        "start their agents, or let this one connect to them; retier status names them"),
                check(
                        "server",
                        isServerUp,
                        poller.newest() == null
                                ? "no answer yet since the agent began"
                                : "last answer " + silence.toMillis() + " ms ago",
                        "start it, or have retier doctor find why it does not answer the agent"),
                check(
                        "role-file",
                        now.isFileTaken(),
                        "stamp " + now.stampOnDisk(),
                        "the server has not taken it yet; if it stays so, the agent's log and retier doctor say why"),
                new Check("journal", journal.isEmpty(), journal.orElse("writable")));
    }

    private static Check check(String name, boolean isGood, String detail, String remedy) {
        return new Check(name, isGood, isGood ? detail : detail + "; " + remedy);
    }

    @Override
    public List<Check> fitness() {
        List<Finding> findings = checkup.newest();
        List<Check> bad = findings.stream()
                .filter(Finding::isBad)
                .map(finding -> new Check(
                        "doctor",
                        false,
                        finding.check() + ": " + finding.detail() + "; " + finding.place() + ": " + finding.remedy()))
                .toList();
        String detail = findings.isEmpty() ? "has not looked yet" : findings.size() + " checks, none bad";
        return bad.isEmpty() ? List.of(new Check("doctor", true, detail)) : bad;
    }

    @Override
    public List<Check> liveness() {
        return List.of(alive("control", loop.silence()), alive("observe", poller.sinceLastPoll()));
    }

    private static Check alive(String thread, Duration silence) {
        return new Check(thread, silence.compareTo(LIVE_WITHIN) <= 0, "last round " + silence.toMillis() + " ms ago");
    }
}
