package dev.retier.agent.http;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Every metric of an agent. The Prometheus name is {@code retier_<id>[_<unit>][_total]}. */
public enum AgentMetric {
    /** Labels {@code version}, {@code node}. */
    BUILD_INFO("build.info", "", "The version of this agent; always 1."),
    /** Labels {@code node}, {@code tier}, {@code site}, which is empty for a tier of none: gauge. */
    NODE_ROLE("node.role", "", "1 for the role that this node has, else 0; of tiers that serve: proxy and app."),
    /** Label {@code node}: gauge. */
    NODE_LOAD("node.load.ratio", "", "Utilisation of this node, 0 to 1; NaN while it is unknown."),
    /** Label {@code node}: gauge. */
    NODE_SERVING("node.serving", "", "1 when this node can be given work, else 0."),
    /** Label {@code state}: gauge. */
    NODES("nodes", "", "Nodes by what this agent knows of them: fresh, late, unknown, stranded or dead."),
    /** Gauge. */
    NODES_DIFFERING("nodes.config.differs", "", "Nodes that have told of another cluster file: nothing moves."),
    /** Label {@code site}: gauge. */
    SITE_DELIVERED("site.delivered.requests.per.second", "", "Client requests that the proxies of the site answer."),
    /** Label {@code site}: gauge; NaN of one that has none. */
    SITE_GUARANTEE("site.guarantee.requests.per.second", "", "What the cluster file promises the site."),
    /** Label {@code site}: counter. */
    SITE_BROKEN(
            "site.guarantee.broken.seconds",
            "",
            "Time with less than the guarantee while a tier of the site was pressed."),
    /** Labels {@code site}, {@code tier}: gauge. */
    TIER_UTILISATION("tier.utilisation.ratio", "", "Pressure of the tier, 0 to 1; NaN while no node of it is known."),
    /** Labels {@code site}, {@code tier}: gauge. */
    TIER_NODES("tier.nodes", "", "Nodes that serve in the tier."),
    /** Labels {@code site}, {@code tier}: gauge. */
    TIER_NODES_MIN("tier.nodes.min", "", "The least that the cluster file lets it have."),
    /** Labels {@code site}, {@code tier}: gauge. */
    TIER_NODES_MAX("tier.nodes.max", "", "The most that the cluster file lets it have."),
    /** Gauge. */
    TAKE_THRESHOLD("take.threshold.ratio", "", "Utilisation above which the cluster file has a tier pressed."),
    /** Label {@code mode}: gauge. */
    MODE("mode", "", "1 for the mode of the cluster file: observe, recommend or act; else 0."),
    /** Label {@code scope}: gauge. */
    PAUSED("paused", "", "1 while an operator has paused decisions: of the cluster, or of this agent (here)."),
    /** Gauge. */
    MOVES_IN_FLIGHT("moves.in.flight", "", "Nodes that are on their way from one role to another."),
    /** Gauge. */
    SAFE_TO_MOVE("safe.to.move", "", "1 when enough nodes are known to move any, else 0."),
    /** Gauge. */
    LEASE_HELD("lease.held", "", "1 while this agent holds a move lock, else 0."),
    /** Gauge. */
    CONFIG_GENERATION("config.generation", "", "Stamp of the role file on disk: twice the epoch, plus one once done."),
    /** Gauge. */
    CONFIG_SUCCESSFUL("config.last.reload.successful", "", "1 when the server runs the file on disk, else 0."),
    /** Label {@code result}: counter. */
    RELOADS("server.reloads", "", "Role files written, by what became of them."),
    /** Label {@code result}: counter. */
    INSTALLATIONS("server.installations", "", "Files brought into force at a server that is reloaded, by result."),
    /** Label {@code phase}: timer. */
    RELOAD_DURATION("server.reload.duration", "seconds", "Time of a check, a run-time change, a reload with proofs."),
    /** Labels {@code result}, {@code reason}, which is none of one that succeeded: counter. */
    MOVES("moves", "", "Moves of this node that ended: active, or rolled back for a reason."),
    /** Label {@code phase}: timer. */
    MOVE_DURATION("move.duration", "seconds", "Time from the order of a move of this node until each phase."),
    /** Label {@code result}: counter. */
    EDGE_WORDS(
            "edge.words", "", "What edges have told of what they run: taken, from no edge of that site, or no word."),
    /** Label {@code reason}: counter. */
    MOVES_SKIPPED("moves.skipped", "", "Looks that led to no move, by reason."),
    /** Label {@code kind}: counter; of a shadow alone. */
    SHADOW_MOVES("shadow.moves", "", "Moves of nodes that a shadow has compared with those of the others, by outcome."),
    /** {@code retier_doctor_findings}. */
    FINDINGS("doctor.findings", "", "What the doctor finds bad at this node: each would make a move fail."),
    /** Counter. */
    JOURNAL_FAILURES("journal.failures", "", "Records of moves that could not be put on disk."),
    /** Counter. */
    CAS_CONFLICTS("cas.conflicts", "", "Orders that lost because the role word had changed."),
    /** Timer. */
    PAGE_DURATION("page.duration", "seconds", "Time from asking the own server for its status to a whole answer."),
    /** Label {@code state}: counter. */
    NODES_SEEN("nodes.seen", "", "Nodes in all looks, by what they were: fresh, late, unknown, stranded or dead."),
    /** Timer with buckets. */
    LOOK_DURATION("look.duration", "seconds", "Time that a look at all slots took."),
    /** Label {@code node}: gauge. */
    VOLUME_SERVER_READ("volume.server.read", "", "1 when the newest read of the node's volume server gave a table."),
    /** Label {@code node}: gauge. */
    VOLUME_SERVER_HOLDS(
            "volume.server.holds", "", "1 when the node stays, as a volume of it is attached or may be; else 0."),
    /** Label {@code node}: gauge. */
    VOLUMES("volume.server.volumes", "", "Volumes of the node's server, as its table tells; NaN before the first."),
    /** Label {@code node}: gauge. */
    VOLUMES_ATTACHED("volume.server.attached", "", "Those of them that a client has attached."),
    /** Label {@code node}: gauge. */
    VOLUMES_UNWELL("volume.server.unwell", "", "Those of them that take no changes or have a damaged block."),
    /** Label {@code node}: gauge. */
    VOLUME_REQUESTS("volume.server.requests.per.second", "", "Reads and writes of all of them."),
    /** Label {@code node}: gauge. */
    VOLUME_FREE("volume.server.free.bytes", "", "Room that the file system of the pool has left."),
    /** Label {@code activity}: gauge. */
    LAST_ACTIVITY("last.activity.timestamp", "seconds", "When each loop last went round, Unix time.");

    private final String id;
    private final String unit;
    private final String sentence;

    AgentMetric(String id, String unit, String sentence) {
        this.id = id;
        this.unit = unit;
        this.sentence = sentence;
    }

    /** The meter name in Micrometer's dotted form. */
    public String meterName() {
        return Meters.PREFIX + id;
    }

    /** Base unit, or empty for a plain number. */
    public String unit() {
        return unit;
    }

    /** Upper bounds of the buckets of a timer, ascending; none of other metrics. */
    List<Duration> buckets() {
        return switch (this) {
            case LOOK_DURATION -> millis(1, 2, 5, 10, 20, 50, 100, 120, 200, 500);
            case PAGE_DURATION -> millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000);
            case RELOAD_DURATION -> millis(5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000);
            case MOVE_DURATION -> millis(50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000);
            default -> List.of();
        };
    }

    private static List<Duration> millis(int... bounds) {
        return IntStream.of(bounds).mapToObj(Duration::ofMillis).toList();
    }

    /** What it tells, for people. */
    public String sentence() {
        return sentence;
    }
}
