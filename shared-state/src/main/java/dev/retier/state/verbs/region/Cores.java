package dev.retier.state.verbs.region;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
import dev.retier.state.region.directory.Answer;
import dev.retier.state.region.directory.Directory;
import dev.retier.state.region.directory.Effect;
import dev.retier.state.region.directory.ExtentId;
import dev.retier.state.region.directory.Holder;
import dev.retier.state.region.directory.Mapper;
import dev.retier.state.region.directory.Names;
import dev.retier.state.region.directory.Request;
import dev.retier.state.region.directory.Step;
import dev.retier.state.verbs.rpc.Caller;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The three state machines of one node behind one lock, and the doing of what they say. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class Cores implements AutoCloseable {
    private static final int END_SECONDS = 5;

    private final NodeId self;
    private final Names names;
    private final PartMemory memory;
    private final Effects effects;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("region-", 0).factory());
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Directory directory;
    /** Guarded by lock. */
    private final Holder holder;
    /** Guarded by lock. */
    private final Mapper mapper;

    /** What takes time. Called with no lock held. */
    interface Effects {
        CompletableFuture<Answer> call(NodeId to, Request request);

        Answer copy(NodeId from, List<Effect.Piece> pieces);

        CompletableFuture<Answer> drain(long handle, RegionFailure why);
    }

    Cores(NodeId self, Names names, int life, PartMemory memory, Effects effects) {
        this.self = self;
        this.names = names;
        this.memory = memory;
        this.effects = effects;
        this.directory = new Directory(self, names, life);
        this.holder = new Holder(self, memory);
        this.mapper = new Mapper(self, names);
    }

    /** Where what may wait runs. */
    ExecutorService threads() {
        return threads;
    }

    /** Answers a peer. */
    CompletableFuture<Answer> answer(Caller caller, Request request) {
        return begin(() -> {
            if (!memory.isConnected(caller)) {
                holder.disconnected(caller.node());
                memory.replace(caller);
                caller.whenOver(() -> run(() -> over(caller)));
            }
            return handle(caller.node(), request);
        });
    }

    /** Answers this node itself. */
    CompletableFuture<Answer> answer(Request request) {
        return begin(() -> handle(self, request));
    }

    CompletableFuture<Answer> map(RegionName name, Permissions wanted, long handle) {
        return begin(() -> mapper.map(name, wanted, handle));
    }

    CompletableFuture<Answer> reopen(long handle, Permissions wanted, NodeId node) {
        return begin(() -> mapper.reopen(handle, wanted, node));
    }

    CompletableFuture<Answer> unmap(long handle) {
        return begin(() -> mapper.unmap(handle));
    }

    /** Tells holders what they have not confirmed, if there is such a thing. */
    CompletableFuture<Answer> reconcile() {
        return begin(() -> directory.isUnsettled() ? directory.reconcile() : new Step.Reply(new Answer.Done()));
    }

    void endGathering() {
        locked(() -> {
            directory.endGathering();
            return true;
        });
    }

    List<Request.Report> reports(NodeId keeper) {
        return locked(() -> holder.reports(names, keeper));
    }

    List<Request.Report> plans(NodeId keeper) {
        return locked(() -> holder.plans(names, keeper));
    }

    long forced() {
        return locked(holder::forced);
    }

    long forbidden() {
        return locked(() -> holder.forbidden() + directory.forbidden());
    }

    long orphans() {
        return locked(directory::orphans);
    }

    /** Memory that somebody still copies into is left to the end of the process. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        locked(() -> {
            memory.close();
            return true;
        });
    }

    private void over(Caller caller) {
        locked(() -> {
            if (memory.isConnected(caller)) {
                holder.disconnected(caller.node());
                memory.disconnected(caller.node());
            }
            return true;
        });
    }

    /** Guarded by lock. */
    private Step handle(NodeId from, Request request) {
        return switch (request) {
            case Request.ToDirectory toDirectory -> directory.handle(from, toDirectory);
            case Request.ToHolder toHolder -> holder.handle(from, toHolder);
            case Request.ToMapper toMapper -> mapper.handle(toMapper);
        };
    }

    private CompletableFuture<Answer> begin(Supplier<Step> first) {
        return perform(locked(first));
    }

    private CompletableFuture<Answer> perform(Step step) {
        return switch (step) {
            case Step.Reply(Answer answer) -> CompletableFuture.completedFuture(answer);
            case Step.Perform perform -> {
                List<CompletableFuture<Answer>> answers =
                        perform.effects().stream().map(this::start).toList();
                yield CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                        .thenComposeAsync(
                                _ -> begin(() -> perform.then()
                                        .apply(answers.stream()
                                                .map(CompletableFuture::join)
                                                .toList())),
                                this::run);
            }
        };
    }

    private CompletableFuture<Answer> start(Effect effect) {
        return switch (effect) {
            case Effect.Call(NodeId to, Request request) when to.equals(self) -> answer(request);
            case Effect.Call(NodeId to, Request request) -> effects.call(to, request);
            case Effect.Allocate(ExtentId extent, long lengthBytes) ->
                CompletableFuture.supplyAsync(() -> memory.allocate(extent, lengthBytes), this::run);
            case Effect.Copy(NodeId from, List<Effect.Piece> pieces) ->
                CompletableFuture.supplyAsync(() -> effects.copy(from, pieces), this::run);
            case Effect.Drain(long handle, RegionFailure why) -> effects.drain(handle, why);
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

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
