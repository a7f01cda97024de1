package dev.retier.fabric.regions;

import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a handle, and until when it may be used. Thread-safe.
 *
 * <p>Its users are counted in one word, without a lock, and it is a part of its {@link MappedRegion}, not an object
 * beside it: of 100,000 handles none is in the cache, so each object that an operation has to fetch can be measured.
 */
abstract class Use {
    /** In the count of users: no more may come. Whoever finds it goes at once, so a count beside it may be passing. */
    private static final int OVER = 1 << 30;

    private static final VarHandle USERS;
    private static final VarHandle ENDING;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(Use.class, "users", int.class);
            ENDING = MethodHandles.lookup().findVarHandle(Use.class, "ending", Ending.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through USERS
    private volatile int users;

    private volatile @Nullable Ending ending;

    /** Why it is over, and what ends when nobody uses it any more. */
    private record Ending(RegionFailure why, CompletableFuture<RegionAnswer> drained) {}

    /** One more operation. Returns why it must not begin, if so. */
    Optional<RegionFailure> enter() {
        if (((int) USERS.getAndAdd(this, 1) & OVER) == 0) {
            return Optional.empty();
        }
        leave();
        return over();
    }

    /** An operation that has entered has let go of everything. */
    void leave() {
        int left = (int) USERS.getAndAdd(this, -1) - 1;
        Ending end = left == OVER ? ending : null;
        if (end != null) {
            end.drained().complete(new RegionAnswer.Done());
        }
    }

    /** Why no operation may begin any more, if so. */
    Optional<RegionFailure> over() {
        Ending end = ending;
        return end == null ? Optional.empty() : Optional.of(end.why());
    }

    /** No operation may begin any more; ends when none is under way. The first reason stays. */
    CompletableFuture<RegionAnswer> drain(RegionFailure why) {
        Ending mine = new Ending(why, new CompletableFuture<>());
        Ending first = (Ending) ENDING.compareAndExchange(this, null, mine);
        Ending end = first == null ? mine : first;
        if (((int) USERS.getAndBitwiseOr(this, OVER) & ~OVER) == 0) {
            end.drained().complete(new RegionAnswer.Done());
        }
        return end.drained().copy();
    }
}
