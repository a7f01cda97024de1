package dev.retier.state.verbs.region;

import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.directory.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Who uses a handle, and until when it may be used. Thread-safe. */
final class Use {
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final List<CompletableFuture<Answer>> drained = new ArrayList<>();
    /** Guarded by lock. */
    private int users;

    private volatile @Nullable RegionFailure over;

    /** One more operation. Returns why it must not begin, if so. */
    Optional<RegionFailure> enter() {
        lock.lock();
        try {
            if (over == null) {
                users++;
            }
            return Optional.ofNullable(over);
        } finally {
            lock.unlock();
        }
    }

    /** An operation that has entered has let go of everything. */
    void leave() {
        List<CompletableFuture<Answer>> told = List.of();
        lock.lock();
        try {
            users--;
            if (users == 0 && over != null) {
                told = List.copyOf(drained);
                drained.clear();
            }
        } finally {
            lock.unlock();
        }
        told.forEach(each -> each.complete(new Answer.Done()));
    }

    /** Why no operation may begin any more, if so. */
    Optional<RegionFailure> over() {
        return Optional.ofNullable(over);
    }

    /** No operation may begin any more; ends when none is under way. The first reason stays. */
    CompletableFuture<Answer> drain(RegionFailure why) {
        CompletableFuture<Answer> empty = new CompletableFuture<>();
        lock.lock();
        try {
            over = over == null ? why : over;
            if (users > 0) {
                drained.add(empty);
                return empty;
            }
        } finally {
            lock.unlock();
        }
        empty.complete(new Answer.Done());
        return empty;
    }
}
