package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;

import dev.retier.agent.command.Command;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.Probes;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The loop of node 2, an app server of four nodes, and what a driver would make of its wishes, step by step. */
abstract class LoopRig {
    static final long MS = 1_000_000;
    static final ClusterConfig CONFIG = Clusters.config(1, 3);
    static final NodeId SELF = node(2);
    static final Command.Manner PLAIN = new Command.Manner(false, true);

    final AgentLoop<TestFile> loop;
    final Deque<LoopEffect<TestFile>> wanted = new ArrayDeque<>();
    final Map<NodeId, RoleWord> words = new HashMap<>(Map.of(
            node(1), RoleWord.active(0, 0, PROXY),
            node(2), RoleWord.active(0, 0, APP),
            node(3), RoleWord.active(0, 0, APP),
            node(4), RoleWord.active(0, 0, APP)));
    RoleWord.Parsed own = new RoleWord.Valid(RoleWord.active(0, 0, APP));
    Set<NodeId> differing = Set.of();
    Set<NodeId> holdingVolumes = Set.of();
    long nowNanos = 1_000 * MS;

    /** What nodes of a role tell of their load; nothing: they idle. */
    final Map<Role, Double> loads = new HashMap<>();

    LoopRig() {
        this(CONFIG, false);
    }

    LoopRig(ClusterConfig config, boolean isShadow) {
        loop = new AgentLoop<>(
                SELF,
                config,
                (_, _, role, stamp) ->
                        Optional.of(new TestFile(stamp, name(role), role instanceof Role.Serving ? "shop" : null)),
                new Memory(PauseWord.NONE, false, isShadow));
    }

    record TestFile(long stamp, String role, @Nullable String site) implements RoleFile {}

    static String name(Role role) {
        return role.equals(PROXY) ? "proxy" : role.equals(APP) ? "app" : "spare";
    }

    void on(LoopEvent event) {
        wanted.addAll(loop.on(event, nowNanos));
    }

    /** What is to be ordered, alone. */
    MoverEffect.Ordering ordering() {
        return (MoverEffect.Ordering) next(LoopEffect.Order.class).orders().getFirst();
    }

    /** What is wanted of that kind; all before it is forgotten. */
    <T> T next(Class<T> kind) {
        while (!wanted.isEmpty()) {
            LoopEffect<TestFile> effect = wanted.remove();
            if (kind.isInstance(effect)) {
                return kind.cast(effect);
            }
        }
        throw new AssertionError("no " + kind.getSimpleName() + " is wanted");
    }

    <T> List<T> all(Class<T> kind) {
        return wanted.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    void looked() {
        next(LoopEffect.Look.class);
        Map<NodeId, SlotReading> readings = new HashMap<>();
        words.keySet().forEach(id -> readings.put(id, reading(id)));
        on(new LoopEvent.Looked(new Surroundings(own, 0, 0), readings, Probes.NONE, differing, holdingVolumes, true));
    }

    /** Waits as long as is wanted, again and again, until a look is due. */
    void woken() {
        while (all(LoopEffect.Look.class).isEmpty()) {
            nowNanos += next(LoopEffect.Await.class).nanos();
            on(new LoopEvent.Woken(new Surroundings(own, 0, 0), Set.of()));
        }
    }

    /** So long after the newest look that the next one is due, whatever it was for. */
    void due() {
        nowNanos += CONFIG.timing().sensitivity().toNanos();
        on(new LoopEvent.Woken(new Surroundings(own, 0, 0), Set.of()));
    }

    /** These have announced something, and are looked at. */
    void glanced(NodeId... callers) {
        on(new LoopEvent.Woken(new Surroundings(own, 0, 0), Set.of(callers)));
        Map<NodeId, SlotReading> readings = new HashMap<>();
        LoopEffect.Glance<?> glance = next(LoopEffect.Glance.class);
        glance.nodes().forEach(id -> readings.put(id, reading(id)));
        on(new LoopEvent.Glanced(new Surroundings(own, 0, 0), readings));
    }

    private SlotReading reading(NodeId id) {
        RoleWord word = Objects.requireNonNull(words.get(id));
        double load = loads.getOrDefault(word.from(), 0.0);
        LoadRecord record = new LoadRecord(Integer.MAX_VALUE, Health.UP, load, 0, 0, 10 + 100 * load, 0, 1_000, 0);
        return new SlotReading.Known(word, record, 1, 1, 0);
    }

    void begin() {
        on(new LoopEvent.Started(List.of()));
        looked();
    }

    /** A forced move of node 3, up to the wish for the lock. */
    void untilLock() {
        begin();
        on(new LoopEvent.Commanded(1, new Command.Move("node-3", "shop/proxy", PLAIN)));
        looked();
    }

    void fenced() {
        Map<NodeId, RoleWord> seen = next(LoopEffect.Fence.class).sites().isEmpty() ? Map.of() : Map.copyOf(words);
        Map<NodeId, RoleWord> fenced = new HashMap<>();
        seen.forEach((id, word) -> fenced.put(id, word.fenced()));
        words.putAll(fenced);
        own = new RoleWord.Valid(Objects.requireNonNull(words.get(SELF)));
        on(new LoopEvent.Fenced(fenced));
    }

    /** The agent begins in the middle of that move of its own to an app, whose file its server then runs. */
    void untilProof(RoleWord order) {
        own = new RoleWord.Valid(order);
        on(new LoopEvent.Started(List.of(new MoveRecord(order, MovePhase.SWITCHING, null))));
        looked();
        on(new LoopEvent.Installed(null));
        sampled(10);
    }

    void sampled(long stamp) {
        sampled("app", stamp);
    }

    void sampled(String role, long stamp) {
        ServerStatus status = new ServerStatus(role, "shop", stamp, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        on(new LoopEvent.Sampled(status, nowNanos, true));
    }
}
