package dev.retier.load.drive;

import dev.retier.load.LoadException;
import dev.retier.load.record.RequestFile;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.shape.LoopedTrace;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A run with everything at hand but its starting time: targets known, trace open, threads there. */
final class PreparedRun {
    private final LoadPlan plan;
    private final TargetDesk desk;
    private final TargetSource.Subscription subscription;
    private final LoopedTrace trace;
    private final EventFeed feed;
    private final TlsContext tls;
    private final Transport transport = Transport.best();
    private final MultiThreadIoEventLoopGroup group;

    private PreparedRun(
            LoadPlan plan, TlsContext tls, TargetDesk desk, TargetSource.Subscription subscription, LoopedTrace trace) {
        this.plan = plan;
        this.desk = desk;
        this.subscription = subscription;
        this.trace = trace;
        this.tls = tls;
        this.feed = new EventFeed(trace.open(), plan.maxRequests());
        this.group = transport.newGroup(plan.eventLoops());
    }

    /** Waits for the first target list and opens the trace. The plan is checked already. */
    static PreparedRun of(LoadPlan plan) throws InterruptedException {
        TlsContext tls = TlsContext.of(plan.tls(), plan.requestTimeout().toMillis());
        TargetDesk desk = new TargetDesk(plan);
        TargetSource.Subscription subscription = plan.targets().follow(plan.site(), desk::offer);
        boolean ready = false;
        try {
            if (!desk.awaitFirst(plan.targetWait())) {
                throw noTargets(plan);
            }
            List<Target> unknown = desk.unknown();
            if (unknown.size() == desk.current().targets().size()) {
                throw new LoadException("site " + plan.site() + ": no address is known of " + unknown.getFirst()
                        + "; check the name, and the name service");
            }
            if (desk.current().targets().stream().anyMatch(Target::secure)) {
                tls.load();
            }
            LoopedTrace trace = new LoopedTrace(plan.trace(), plan.loops());
            PreparedRun prepared = new PreparedRun(plan, tls, desk, subscription, trace);
            ready = true;
            return prepared;
        } finally {
            if (!ready) {
                subscription.close();
            }
        }
    }

    LoadRun begin(long startNanos, @Nullable RequestFile requests) {
        LoadRun run = new LoadRun(
                this,
                new RunContext(
                        plan,
                        feed,
                        desk,
                        new SessionDesk(feed, plan.clients()),
                        new LoopCpu(),
                        new Faults(),
                        new FirstCauses(),
                        tls,
                        requests,
                        startNanos));
        run.begin();
        return run;
    }

    LoopedTrace trace() {
        return trace;
    }

    Transport transport() {
        return transport;
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    /** Gives everything back. */
    void close() {
        subscription.close();
        feed.close();
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static LoadException noTargets(LoadPlan plan) {
        return new LoadException("site " + plan.site() + ": no target list from "
                + plan.targets().description() + " within "
                + plan.targetWait().toMillis()
                + " ms; check that it runs, and that this is the name of one of its sites");
    }
}
