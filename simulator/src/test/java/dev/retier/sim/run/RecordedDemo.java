package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.config.Timing;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run of {@code ./retier demo} with real web-nodes and agents, as its {@code --json} wrote it, and the same run as a
 * simulation: cluster, rules, trace and clients are taken from the record. What the record does not tell is what every
 * demo has: 32 objects of Zipf 0.8, and a drain deadline of 5 s.
 */
final class RecordedDemo {
    private static final Catalogue OBJECTS =
            new Catalogue(32, 0.8, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));

    private final JsonNode json;

    private RecordedDemo(JsonNode json) {
        this.json = json;
    }

    /** The record {@code NAME.json} among the test's resources. */
    static RecordedDemo read(String name) {
        try (InputStream stream = RecordedDemo.class.getResourceAsStream("/demo/" + name + ".json")) {
            return new RecordedDemo(new JsonMapper().readTree(Objects.requireNonNull(stream, "the record")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The pass in which nothing moved. */
    JsonNode rigid() {
        return json.at("/passes/0");
    }

    /** The pass in which nodes moved. */
    JsonNode reconfigured() {
        return json.at("/passes/1");
    }

    /** What each move of a pass was, in the order of the orders, such as {@code app-proxy}. */
    List<String> moves() {
        return StreamSupport.stream(reconfigured().get("moves").spliterator(), false)
                .filter(move -> move.get("outcome").asString().equals("active"))
                .map(move -> tier(move.get("from").asString()) + "-"
                        + tier(move.get("to").asString()))
                .toList();
    }

    private static String tier(String role) {
        return role.substring(role.indexOf('/') + 1);
    }

    Setup setup() {
        int nodes = json.at("/run/nodes").asInt();
        TierBounds any = new TierBounds(1, nodes);
        List<SiteConfig> site = List.of(new SiteConfig(new SiteId(1), "shop", List.of(), 1, null, any, any, null));
        ClusterConfig spare = MadeCluster.of(site, Collections.nCopies(nodes, Role.SPARE), rules());
        Allocation start = Allocation.of(
                rigid().at("/start/proxies").asInt(), rigid().at("/start/apps").asInt());
        ClusterConfig config = MadeCluster.with(spare, start.roles(spare));
        return Setup.of(config, costs(), List.of(new Demand(Workload.read(trace(), 0, Long.MAX_VALUE), clients())));
    }

    private NodeCosts costs() {
        JsonNode costs = json.at("/run/costs");
        return new NodeCosts(
                costs.get("capacityPerSecond").asDouble(),
                costs.get("staticHit").asDouble(),
                costs.get("staticOrigin").asDouble(),
                costs.get("forward").asDouble(),
                costs.get("dynamic").asDouble());
    }

    private GeneratedTrace trace() {
        BurstPlan plan = BurstPlan.of(
                json.at("/run/requestsPerBurst").asLong(), rigid().get("bursts").size(), RequestClass.STATIC);
        return GeneratedTrace.alternating(plan, OBJECTS, json.at("/run/seed").asLong());
    }

    private Clients clients() {
        return Clients.closed(json.at("/run/clients").asInt());
    }

    private MadeCluster.Rules rules() {
        Timing usual = Timing.DEFAULTS;
        Timing timing = new Timing(
                time("sensitivityMillis"),
                time("publishIntervalMillis"),
                time("utilisationWindowMillis"),
                usual.readDeadline(),
                usual.staleness(),
                usual.deadAfter(),
                usual.startGrace(),
                usual.lease());
        DecisionRules decision = DecisionRules.DEFAULTS
                .withHistory(time("takeHistoryMillis"))
                .withMovesPerHour(DecisionRules.MAX_MOVES_PER_HOUR);
        return new MadeCluster.Rules(timing, decision, MoveRules.DEFAULTS.withDrainDeadline(Duration.ofSeconds(5)));
    }

    private Duration time(String key) {
        return Duration.ofMillis(json.at("/run/timing/" + key).asLong());
    }
}
