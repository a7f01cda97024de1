package dev.retier.load.drive;

import dev.retier.load.LoadException;
import dev.retier.load.measure.Glance;
import dev.retier.load.measure.RunMeter;
import dev.retier.load.record.RequestFile;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.traces.shape.LoopedTrace;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of one site: its clients take the events of one trace in order, each with one request outstanding.
 * Thread-safe.
 */
public final class LoadRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadRun.class);
    private static final long WATCH_EVERY_MILLIS = 20;
    private static final double NANOS_PER_MILLI = 1e6;

    private final RunContext context;
    private final PreparedRun prepared;
    private final List<LoopDriver> drivers = new ArrayList<>();
    private final AtomicInteger loopsLeft;
    private final AtomicReference<@Nullable EndReason> ended = new AtomicReference<>();
    private volatile long endedNanos;
    private final AtomicReference<@Nullable LoadResult> result = new AtomicReference<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final OptionalLong expectedRequests;
    private final long startedAtEpochMillis = System.currentTimeMillis();

    LoadRun(PreparedRun prepared, RunContext context) {
        this.context = context;
        this.prepared = prepared;
        this.expectedRequests = expected(context.plan(), prepared.trace());
        this.loopsLeft = new AtomicInteger(context.plan().eventLoops());
        for (int i = 0; i < context.plan().eventLoops(); i++) {
            EventLoop loop = prepared.group().next();
            drivers.add(new LoopDriver(context, loop, prepared.transport(), WorkSource::of, this::loopDone));
        }
    }

    /**
     * Waits for the first target list, then sends the first requests and returns.
     *
     * @throws LoadException with all problems of the plan, one line each; or when no target list comes in time; or when
     *     the trace cannot be opened
     * @throws InterruptedException when interrupted while waiting for the first target list
     */
    public static LoadRun start(LoadPlan plan) throws InterruptedException {
        return startAll(List.of(plan)).getFirst();
    }

    /**
     * Starts several sites' runs at the same instant, once all of them are ready.
     *
     * @throws LoadException as {@link #start}, with the problems of all plans; then none has started
     * @throws InterruptedException when interrupted while waiting for a target list; then none has started
     */
    public static List<LoadRun> startAll(List<LoadPlan> plans) throws InterruptedException {
        return startAll(plans, StartSignal.NOW, null);
    }

    /**
     * Starts several sites' runs at the same instant, once all of them are ready and {@code signal} has come.
     *
     * @param requests where every request is written down, which the caller closes after the runs; null: nowhere
     * @throws LoadException as {@link #start}, with the problems of all plans, or as the signal; then none has started
     * @throws InterruptedException when interrupted while waiting; then none has started
     */
    public static List<LoadRun> startAll(List<LoadPlan> plans, StartSignal signal, @Nullable RequestFile requests)
            throws InterruptedException {
        List<String> problems = plans.stream()
                .flatMap(plan -> plan.problems().stream()
                        .map(problem -> plans.size() == 1 ? problem : "site " + plan.site() + ": " + problem))
                .toList();
        if (!problems.isEmpty()) {
            throw LoadException.ofProblems(problems);
        }
        List<PreparedRun> ready = new ArrayList<>();
        boolean signalled = false;
        try {
            for (LoadPlan plan : plans) {
                ready.add(PreparedRun.of(plan));
            }
            signal.await();
            signalled = true;
        } finally {
            if (!signalled) {
                ready.forEach(PreparedRun::close);
            }
        }
        long startNanos = System.nanoTime();
        return ready.stream()
                .map(prepared -> prepared.begin(startNanos, requests))
                .toList();
    }

    /** The run as it is now. */
    public LoadSnapshot snapshot() {
        long nowNanos = context.nowNanos();
        LoadResult over = result.get();
        long elapsedNanos = over == null ? nowNanos : Math.round(over.elapsedMillis() * NANOS_PER_MILLI);
        Glance glance = Glance.of(meters(), elapsedNanos);
        return new LoadSnapshot(
                over == null,
                Math.round(elapsedNanos / NANOS_PER_MILLI),
                glance.totals(),
                glance.lastInterval(),
                glance.intervalNanos() / NANOS_PER_MILLI,
                glance.lastLatency(),
                over == null ? Math.round(silentNanos(nowNanos) / NANOS_PER_MILLI) : 0,
                over == null ? progressShare(glance.totals().sent(), nowNanos) : Double.valueOf(1),
                glance.segment(),
                glance.kind(),
                context.plan().streams() == null ? null : Long.valueOf(glance.openStreams()),
                glance.eventsPerSecond(),
                context.desk().current());
    }

    /** Ends the run: no new requests, those in flight have the grace of the plan. Returns at once. */
    public void stop() {
        end(EndReason.STOPPED);
    }

    /** Waits for the end of the run. */
    public LoadResult await() throws InterruptedException {
        finished.await();
        return result();
    }

    /** Waits for the end of the run, at most {@code longest}; says whether it is over. */
    public boolean await(Duration longest) throws InterruptedException {
        return finished.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * The result of a run that is over.
     *
     * @throws IllegalStateException while it is not, or when a mistake of the generator left it without one
     */
    public LoadResult result() {
        LoadResult known = result.get();
        if (known == null) {
            String fault = finished.getCount() > 0 ? null : context.faults().first();
            throw new IllegalStateException(fault == null ? "the run is not over" : "the run has no result: " + fault);
        }
        return known;
    }

    /** Stops the run if it is not over, and waits for its end, which the plan's stop grace bounds. */
    @Override
    public void close() {
        stop();
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void begin() {
        LoadPlan plan = context.plan();
        LOG.debug(
                "load on {}: {} clients, trace {}, targets {}",
                plan.site(),
                plan.clients(),
                plan.trace().name(),
                plan.targets().description());
        for (int i = 0; i < drivers.size(); i++) {
            drivers.get(i).start(i, drivers.size(), plan.clients());
        }
        context.desk().onChange(() -> drivers.forEach(LoopDriver::targetsChanged));
        drivers.forEach(LoopDriver::targetsChanged);
        EventLoop watcher = prepared.group().next();
        var _ = watcher.scheduleWithFixedDelay(
                this::watch, WATCH_EVERY_MILLIS, WATCH_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void watch() {
        try {
            endWhenDue();
        } catch (RuntimeException | Error e) {
            context.faults().add(e);
        }
    }

    private void endWhenDue() {
        long nowNanos = context.nowNanos();
        Duration duration = context.plan().duration();
        if (duration != null && nowNanos >= duration.toNanos()) {
            end(EndReason.DURATION);
        }
        RequestFile requests = context.requests();
        if (requests != null && requests.problem() != null) {
            end(EndReason.REQUESTS_UNWRITABLE);
        }
        if (silentNanos(nowNanos) >= context.plan().stallLimit().toNanos()) {
            end(EndReason.STALLED);
        }
    }

    private long silentNanos(long nowNanos) {
        return drivers.stream()
                .flatMapToLong(driver -> driver.meter().silentNanos(nowNanos).stream())
                .min()
                .orElse(0);
    }

    private void end(EndReason reason) {
        if (ended.compareAndSet(null, reason)) {
            endedNanos = context.nowNanos();
            drivers.forEach(LoopDriver::end);
        }
    }

    private void loopDone() {
        if (loopsLeft.decrementAndGet() == 0) {
            try {
                finish();
            } catch (RuntimeException | Error e) {
                context.faults().add(e);
            } finally {
                finished.countDown();
            }
        }
    }

    private void finish() {
        long elapsedNanos = context.nowNanos();
        RunMeter meter = RunMeter.sum(meters());
        EndReason inTrace = context.feed().end();
        if (ended.compareAndSet(null, inTrace == null ? EndReason.TRACE_END : inTrace)) {
            endedNanos = meter.lastSentNanos();
        }
        EndReason reason = ended.get();
        ResultOfRun.Ending ending =
                new ResultOfRun.Ending(reason == null ? EndReason.STOPPED : reason, endedNanos, elapsedNanos);
        LoadResult whole = ResultOfRun.of(context, meter, ending, startedAtEpochMillis);
        result.set(whole);
        context.desk().onChange(() -> {});
        prepared.close();
        LOG.debug(
                "load on {} over ({}): {} answered, {} failed",
                whole.site(),
                whole.end(),
                whole.totals().answered(),
                whole.totals().failed());
    }

    private List<RunMeter> meters() {
        return drivers.stream().map(LoopDriver::meter).toList();
    }

    private @Nullable Double progressShare(long sent, long nowNanos) {
        Duration duration = context.plan().duration();
        double byTime = duration == null ? -1 : (double) nowNanos / duration.toNanos();
        double byCount = expectedRequests.isEmpty() ? -1 : (double) sent / Math.max(1, expectedRequests.getAsLong());
        double share = Math.max(byTime, byCount);
        return share < 0 ? null : Double.valueOf(Math.min(1, share));
    }

    private static OptionalLong expected(LoadPlan plan, LoopedTrace trace) {
        OptionalLong ofTrace = trace.eventCount();
        if (plan.maxRequests() == 0) {
            return ofTrace;
        }
        return OptionalLong.of(Math.min(plan.maxRequests(), ofTrace.orElse(Long.MAX_VALUE)));
    }
}
