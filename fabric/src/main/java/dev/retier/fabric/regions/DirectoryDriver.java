package dev.retier.fabric.regions;

import dev.retier.fabric.Caller;
import dev.retier.fabric.directory.Action;
import dev.retier.fabric.directory.Directory;
import dev.retier.fabric.directory.Holder;
import dev.retier.fabric.directory.Mapper;
import dev.retier.fabric.directory.Names;
import dev.retier.fabric.directory.PartId;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.Reaction;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.NodeId;
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
final class DirectoryDriver implements AutoCloseable {
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
        CompletableFuture<RegionAnswer> call(NodeId to, RegionRequest request);

        RegionAnswer copy(NodeId from, List<Action.Piece> pieces);

        CompletableFuture<RegionAnswer> drain(long handle, RegionFailure why);
    }

    DirectoryDriver(NodeId self, Names names, int life, PartMemory memory, Effects effects) {
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
    CompletableFuture<RegionAnswer> answer(Caller caller, RegionRequest request) {
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
    CompletableFuture<RegionAnswer> answer(RegionRequest request) {
        return begin(() -> handle(self, request));
    }

    CompletableFuture<RegionAnswer> map(RegionName name, Permissions wanted, long handle) {
        return begin(() -> mapper.map(name, wanted, handle));
    }

    CompletableFuture<RegionAnswer> reopen(long handle, Permissions wanted, NodeId node) {
        return begin(() -> mapper.reopen(handle, wanted, node));
    }

    CompletableFuture<RegionAnswer> unmap(long handle) {
        return begin(() -> mapper.unmap(handle));
    }

    /** Tells holders what they have not confirmed, if there is such a thing. */
    CompletableFuture<RegionAnswer> reconcile() {
        return begin(
                () -> directory.isUnsettled() ? directory.reconcile() : new Reaction.Reply(new RegionAnswer.Done()));
    }

    void endGathering() {
        locked(() -> {
            directory.endGathering();
            return true;
        });
    }

    List<RegionRequest.Report> reports(NodeId keeper) {
        return locked(() -> holder.reports(names, keeper));
    }

    List<RegionRequest.Report> plans(NodeId keeper) {
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
    private Reaction handle(NodeId from, RegionRequest request) {
        return switch (request) {
            case RegionRequest.ToDirectory toDirectory -> directory.handle(from, toDirectory);
            case RegionRequest.ToHolder toHolder -> holder.handle(from, toHolder);
            case RegionRequest.ToMapper toMapper -> mapper.handle(toMapper);
        };
    }

    private CompletableFuture<RegionAnswer> begin(Supplier<Reaction> first) {
        return perform(locked(first));
    }

    private CompletableFuture<RegionAnswer> perform(Reaction step) {
        return switch (step) {
            case Reaction.Reply(RegionAnswer answer) -> CompletableFuture.completedFuture(answer);
            case Reaction.Perform perform -> {
                List<CompletableFuture<RegionAnswer>> answers =
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

    private CompletableFuture<RegionAnswer> start(Action effect) {
        return switch (effect) {
            case Action.Call(NodeId to, RegionRequest request) when to.equals(self) -> answer(request);
            case Action.Call(NodeId to, RegionRequest request) -> effects.call(to, request);
            case Action.Allocate(PartId part, long lengthBytes) ->
                CompletableFuture.supplyAsync(() -> memory.allocate(part, lengthBytes), this::run);
            case Action.Copy(NodeId from, List<Action.Piece> pieces) ->
                CompletableFuture.supplyAsync(() -> effects.copy(from, pieces), this::run);
            case Action.Drain(long handle, RegionFailure why) -> effects.drain(handle, why);
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
