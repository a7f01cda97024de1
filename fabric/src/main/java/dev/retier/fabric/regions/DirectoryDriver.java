package dev.retier.fabric.regions;

import dev.retier.fabric.Caller;
import dev.retier.fabric.directory.Action;
import dev.retier.fabric.directory.Directory;
import dev.retier.fabric.directory.Holder;
import dev.retier.fabric.directory.Mapper;
import dev.retier.fabric.directory.Names;
import dev.retier.fabric.directory.PartId;
import dev.retier.fabric.directory.Reaction;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The three state machines of one node behind one lock, and the doing of what they say. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class DirectoryDriver implements AutoCloseable {
    private static final int END_SECONDS = 5;

    private final Regions regions;
    private final NodeId self;
    private final Names names;
    private final PartMemory memory;
    /** Where what may wait runs. */
    final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("region-", 0).factory());
    /** Guarded by this. */
    private final Directory directory;
    /** Guarded by this. */
    private final Holder holder;
    /** Guarded by this. */
    private final Mapper mapper;

    DirectoryDriver(Regions regions, Names names, int life, PartMemory memory) {
        this.regions = regions;
        this.self = regions.fabric.self();
        this.names = names;
        this.memory = memory;
        this.directory = new Directory(self, names, life);
        this.holder = new Holder(self, memory);
        this.mapper = new Mapper(self, names);
    }

    /** Answers a peer. */
    CompletableFuture<RegionAnswer> answer(Caller caller, RegionRequest request) {
        return begin(() -> {
            if (!caller.isOpen()) {
                return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, "the connection is over");
            }
            if (!memory.isConnected(caller)) {
                disconnected(caller.node());
                memory.replace(caller);
                caller.whenOver(() -> run(() -> over(caller)));
            }
            return handle(caller.node(), request);
        });
    }

    /** Answers this node itself, on its connection to itself where it needs keys of its own parts. */
    CompletableFuture<RegionAnswer> answer(RegionRequest request) {
        if (!(request instanceof RegionRequest.Open) || memory.isDirect(self)) {
            return begin(() -> handle(self, request));
        }
        return regions.fabric
                .ownCaller()
                .map(own -> answer(own, request))
                .orElseGet(() -> CompletableFuture.completedFuture(new RegionAnswer.Refused(
                        RegionFailure.NODE_UNREACHABLE, self + " is not connected to itself yet")));
    }

    /** Asks a node, which may be this one. */
    CompletableFuture<RegionAnswer> call(NodeId to, RegionRequest request) {
        return to.equals(self) ? answer(request) : regions.calls.ask(to, request);
    }

    /** Has this node's mapper begin something. */
    CompletableFuture<RegionAnswer> map(Function<Mapper, Reaction> first) {
        return begin(() -> first.apply(mapper));
    }

    /** Tells holders what they have not confirmed, if there is such a thing. */
    CompletableFuture<RegionAnswer> reconcile() {
        return begin(() -> directory.isUnsettled() ? directory.reconcile() : new RegionAnswer.Done());
    }

    synchronized void endGathering() {
        directory.endGathering();
    }

    synchronized List<RegionRequest.Report> reports(NodeId keeper) {
        return holder.reports(names, keeper);
    }

    synchronized List<RegionRequest.Report> plans(NodeId keeper) {
        return holder.plans(names, keeper);
    }

    /** What the state machines have counted. */
    synchronized Map<Metric, Long> counted() {
        return Map.of(
                RegionMetric.REGIONS_FORCED, holder.forced(),
                RegionMetric.REGIONS_FORBIDDEN, holder.forbidden() + directory.forbidden(),
                RegionMetric.REGIONS_ORPHANS, directory.orphans());
    }

    /** Memory that somebody still copies into is left to the end of the process. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                synchronized (this) {
                    memory.close();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void over(Caller caller) {
        if (memory.isConnected(caller)) {
            disconnected(caller.node());
            memory.disconnected(caller.node());
        }
    }

    /** Guarded by this. What this node reports to itself comes on no connection. */
    private void disconnected(NodeId peer) {
        holder.disconnected(peer);
        if (!peer.equals(self)) {
            directory.disconnected(peer);
        }
    }

    /** Guarded by this. */
    private Reaction handle(NodeId from, RegionRequest request) {
        return switch (request) {
            case RegionRequest.ToDirectory toDirectory -> directory.handle(from, toDirectory);
            case RegionRequest.ToHolder toHolder -> holder.handle(from, toHolder);
            case RegionRequest.Revoke(long handle, RegionFailure why) -> mapper.revoke(handle, why);
        };
    }

    private CompletableFuture<RegionAnswer> begin(Supplier<Reaction> first) {
        Reaction step;
        synchronized (this) {
            step = first.get();
        }
        return perform(step);
    }

    private CompletableFuture<RegionAnswer> perform(Reaction step) {
        return switch (step) {
            case RegionAnswer answer -> CompletableFuture.completedFuture(answer);
            case Reaction.Perform perform -> {
                List<CompletableFuture<RegionAnswer>> answers =
                        perform.effects().stream().map(this::start).toList();
                yield CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                        .thenComposeAsync(
                                _ -> begin(() -> perform.then()
                                        .apply(answers.stream()
                                                .map(CompletableFuture::join)
                                                .toList())),
                                threads)
                        .exceptionallyCompose(fault -> threads.isShutdown()
                                ? CompletableFuture.completedFuture(new RegionAnswer.Refused(
                                        RegionFailure.NODE_UNREACHABLE, "the regions of " + self + " are closed"))
                                : CompletableFuture.failedFuture(fault));
            }
        };
    }

    private CompletableFuture<RegionAnswer> start(Action effect) {
        return switch (effect) {
            case Action.Call(NodeId to, RegionRequest request) -> call(to, request);
            case Action.Allocate(PartId part, long lengthBytes) ->
                CompletableFuture.allOf().thenApplyAsync(_ -> memory.allocate(part, lengthBytes), threads);
            case Action.Copy(NodeId from, List<Action.Piece> pieces) ->
                CompletableFuture.allOf()
                        .thenApplyAsync(_ -> memory.copy(regions.fabric.link(from), from, pieces), threads);
            case Action.Drain(long handle, RegionFailure why) -> regions.drain(handle, why);
        };
    }

    /** After the end nothing runs any more, and nobody waits for it. */
    private void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            if (!threads.isShutdown()) {
                throw closed;
            }
        }
    }
}
