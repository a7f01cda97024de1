package dev.retier.fabric.locks;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.Caller;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.IncomingCall;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OneSided.Piece;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.locks.protocol.LockOperation;
import dev.retier.fabric.locks.protocol.NowServing;
import dev.retier.fabric.locks.protocol.TicketLock.Found;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The words of ticket locks: those whose home is this node, and the way to those of others. Thread-safe.
 *
 * <pre>
 *  each lock: ticket word 8 | turn word 8
 * </pre>
 */
final class LockWords {
    private static final int FUNCTION = 0xFE00;
    private static final int LOCK_BYTES = 2 * Long.BYTES;
    private static final int LENGTH_BYTES = (LockPlace.MAX_NUMBER + 1) * LOCK_BYTES;
    private static final int ALIGNMENT = 64;

    private final Fabric fabric;
    private final Duration deadline;
    private final MemorySegment words = Arena.ofAuto().allocate(LENGTH_BYTES, ALIGNMENT);
    private final Map<Caller, Registration> shown = new ConcurrentHashMap<>();
    private final Map<PeerLink, CompletableFuture<Optional<There>>> there = new ConcurrentHashMap<>();

    /** The words of another node, and memory for what operations on them find. */
    private record There(PeerLink link, RemotePlace words, Registration found) {}

    LockWords(Fabric fabric, long bootMillis, Duration deadline) {
        this.fabric = fabric;
        this.deadline = deadline;
        NowServing first = NowServing.atBoot(bootMillis);
        for (int at = 0; at < LENGTH_BYTES; at += LOCK_BYTES) {
            words.set(ValueLayout.JAVA_LONG, at, first.ticket() + 1);
            words.set(ValueLayout.JAVA_LONG, at + Long.BYTES, first.encode());
        }
        fabric.registerInline(FUNCTION, this::show);
    }

    /** Does {@code operation}; tells what it found, or nothing if nobody knows whether it was or will be done. */
    void perform(LockPlace place, LockOperation operation, Consumer<Optional<Found>> whenOver) {
        Optional<PeerLink> link = fabric.link(place.home());
        if (link.isEmpty()) {
            whenOver.accept(Optional.empty());
            return;
        }
        there.keySet().removeIf(old -> !old.isOpen());
        CompletableFuture<Optional<There>> way = there.computeIfAbsent(link.get(), this::ask);
        Callbacks.run("the search for a lock", way, known -> {
            if (known.isPresent()) {
                perform(known.get(), place.number() * LOCK_BYTES, operation, whenOver);
            } else {
                there.remove(link.get(), way);
                whenOver.accept(Optional.empty());
            }
        });
    }

    private static void perform(There words, int offset, LockOperation operation, Consumer<Optional<Found>> whenOver) {
        RemotePlace ticket = words.words().plus(offset);
        RemotePlace turn = ticket.plus(Long.BYTES);
        Piece found = new Piece(words.found(), offset, Long.BYTES);
        OneSided what = switch (operation) {
            case LockOperation.Draw _ -> new OneSided.FetchAndAdd(ticket, 1, found);
            case LockOperation.Look _ -> new OneSided.Read(turn, List.of(found));
            case LockOperation.Swap(NowServing expected, NowServing next) ->
                new OneSided.CompareAndSwap(turn, expected.encode(), next.encode(), found);
        };
        MemorySegment memory = words.found().memory();
        long life = words.link().peer().incarnation();
        Callbacks.run(
                "an operation on a lock",
                words.link().post(what),
                outcome -> whenOver.accept(
                        outcome instanceof OpOutcome.Done
                                ? Optional.of(new Found(memory.get(ValueLayout.JAVA_LONG, offset), life))
                                : Optional.empty()));
    }

    private CompletableFuture<Optional<There>> ask(PeerLink link) {
        return link.call(FUNCTION, new byte[0], deadline)
                .outcome()
                .thenApply(outcome -> outcome instanceof CallOutcome.Answered(byte[] place)
                        ? RemotePlace.parse(place).flatMap(words -> connect(link, words))
                        : Optional.empty());
    }

    private static Optional<There> connect(PeerLink link, RemotePlace words) {
        MemorySegment found = Arena.ofAuto().allocate(LENGTH_BYTES, ALIGNMENT);
        try {
            return Optional.of(new There(link, words, link.register(found, Set.of(MemoryAccess.LOCAL_WRITE))));
        } catch (IOException over) {
            return Optional.empty();
        }
    }

    /** Tells a caller where the words are, for its connection. */
    private byte[] show(IncomingCall request) {
        Caller caller = request.caller();
        Registration known = shown.get(caller);
        return (known == null ? register(caller) : known).place().emit();
    }

    private Registration register(Caller caller) {
        try {
            Registration registration =
                    caller.register(words, Set.of(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_ATOMIC));
            shown.put(caller, registration);
            caller.whenOver(() -> shown.remove(caller));
            return registration;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
