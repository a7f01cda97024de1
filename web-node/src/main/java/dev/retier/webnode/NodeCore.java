package dev.retier.webnode;

import dev.retier.balance.Loads;
import dev.retier.webnode.admin.NodeView;
import dev.retier.webnode.apply.LoadsFollower;
import dev.retier.webnode.apply.RoleFollower;
import dev.retier.webnode.config.LetGo;
import dev.retier.webnode.config.Role;
import dev.retier.webnode.config.RoleFile;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.InFlight;
import dev.retier.webnode.measure.NodeCounters;
import dev.retier.webnode.measure.NodeStatus;
import dev.retier.webnode.measure.Tally;
import dev.retier.webnode.serve.ServingPlan;
import dev.retier.webnode.serve.StaticStore;
import dev.retier.webnode.serve.WorkLine;
import dev.retier.webnode.upstream.UpstreamPool;
import dev.retier.webnode.upstream.UpstreamSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The state of one node: the plan in force and what it counts. Plans are replaced by one thread; the rest is free. */
final class NodeCore implements NodeView {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final WebNodeSettings settings;
    private final NodeCounters counters;
    private final InFlight inFlight;
    private final WorkLine workLine;
    private final RoleFollower follower;
    private final LoadsFollower loadsFollower;
    private final long startNanos = System.nanoTime();
    private volatile ServingPlan plan;
    /** The newest loads, if they are fresh; used by the thread that looks at files. */
    private @Nullable Loads loads;

    NodeCore(WebNodeSettings settings, WebNodeRuntime runtime, MeterRegistry registry) {
        this.settings = settings;
        this.counters = new NodeCounters(registry);
        this.inFlight = new InFlight(settings.limits().maxInFlight());
        this.workLine = new WorkLine(settings.capacityUnitsPerSecond(), runtime.timer());
        UpstreamPool noUpstreams =
                UpstreamPool.empty(new UpstreamSettings(settings.limits(), runtime.buffers(), counters));
        RoleFile noDuty = new RoleFile(0, Role.SPARE, null, List.of(), LetGo.NONE);
        this.plan = new ServingPlan(noDuty, "", noUpstreams, new StaticStore(0));
        this.follower = new RoleFollower(settings.node(), settings.roleFile(), counters, this::apply);
        this.loadsFollower = new LoadsFollower(
                settings.node(),
                settings.roleFile(),
                new LoadsFollower.Listener() {
                    @Override
                    public void told(Loads newest) {
                        goBy(newest);
                    }

                    @Override
                    public void lost() {
                        goBy(null);
                    }
                },
                startNanos);
    }

    /** Looks at the files of the agent; called by one thread at a time. */
    void poll() {
        follower.poll();
        if (plan.file().role() == Role.PROXY) {
            loadsFollower.poll(System.nanoTime());
        }
    }

    private void goBy(@Nullable Loads newest) {
        loads = newest;
        plan.upstreams().goBy(newest);
    }

    RoleFollower follower() {
        return follower;
    }

    NodeCounters counters() {
        return counters;
    }

    InFlight inFlight() {
        return inFlight;
    }

    WorkLine workLine() {
        return workLine;
    }

    ServingPlan plan() {
        return plan;
    }

    void closeUpstreams() {
        UpstreamPool upstreams = plan.upstreams();
        upstreams.retireExcept(upstreams.successor(List.of()));
        loadsFollower.close();
    }

    private void apply(RoleFile newer, String sha256) {
        ServingPlan before = plan;
        ServingPlan after = before.successor(newer, sha256, settings.cacheBytes());
        after.upstreams().goBy(loads);
        plan = after;
        before.upstreams().retireExcept(after.upstreams());
    }

    @Override
    public Optional<String> notReadyReason() {
        ServingPlan current = plan;
        if (inFlight.isClosing()) {
            return Optional.of("closing");
        }
        if (current.file().role() == Role.PROXY && !current.upstreams().anyInPlay(System.nanoTime())) {
            return Optional.of("no app node answers");
        }
        return Optional.empty();
    }

    @Override
    public double lastAppliedUnixSeconds() {
        return follower.lastAppliedUnixMillis() / MILLIS_PER_SECOND;
    }

    @Override
    public NodeStatus status() {
        ServingPlan current = plan;
        long now = System.nanoTime();
        double clientAge = counters.lastClientRequestAgeSeconds(now);
        return new NodeStatus(
                settings.node(),
                current.file().role().word(),
                current.file().site(),
                current.file().epoch(),
                current.sha256(),
                follower.lastRefusal(),
                counters.get(Tally.ROLE_FILES_REFUSED),
                inFlight.isClosing(),
                (now - startNanos) / NANOS_PER_SECOND,
                settings.capacityUnitsPerSecond(),
                workLine.busySeconds(),
                workLine.backlogSeconds(),
                inFlight.all(),
                inFlight.fromClients(),
                clientAge < 0 ? null : clientAge,
                byClass(counters::requests),
                byClass(counters::completed),
                byClass(kind -> counters.completedPerSecond(kind, now)),
                counters.get(Tally.ERRORS),
                counters.get(Tally.REJECTED),
                cacheStatus(current.store()),
                counters.get(Tally.FORWARDED),
                counters.get(Tally.RETRIES),
                counters.get(Tally.LET_GO),
                current.upstreams().goesByLoads(),
                current.upstreams().status(now));
    }

    private NodeStatus.Cache cacheStatus(StaticStore store) {
        return new NodeStatus.Cache(
                store.entries(), store.bytes(), counters.get(Tally.CACHE_HITS), counters.get(Tally.CACHE_MISSES));
    }

    private static <V> Map<String, V> byClass(Function<RequestClass, V> value) {
        Map<String, V> values = new LinkedHashMap<>();
        for (RequestClass kind : RequestClass.values()) {
            values.put(kind.word(), value.apply(kind));
        }
        return values;
    }
}
