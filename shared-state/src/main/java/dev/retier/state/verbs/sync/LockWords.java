package dev.retier.state.verbs.sync;

import dev.retier.state.rpc.CallOutcome;
import dev.retier.state.sync.TicketLock.Found;
import dev.retier.state.sync.Turn;
import dev.retier.state.sync.WordOperation;
import dev.retier.state.verbs.rpc.Access;
import dev.retier.state.verbs.rpc.Callbacks;
import dev.retier.state.verbs.rpc.Caller;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.OneSided;
import dev.retier.state.verbs.rpc.OneSided.Piece;
import dev.retier.state.verbs.rpc.OpOutcome;
import dev.retier.state.verbs.rpc.PeerLink;
import dev.retier.state.verbs.rpc.Registration;
import dev.retier.state.verbs.rpc.RemotePlace;
import dev.retier.state.verbs.rpc.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
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
    private static final int LOCK_BYTES = 2 * Long.BYTES;
    private static final int LENGTH_BYTES = (LockPlace.MAX_NUMBER + 1) * LOCK_BYTES;
    private static final int ALIGNMENT = 64;
    private static final int PLACE_BYTES = Long.BYTES + Integer.BYTES;

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
        Turn first = Turn.atBoot(bootMillis);
        for (int at = 0; at < LENGTH_BYTES; at += LOCK_BYTES) {
            words.set(ValueLayout.JAVA_LONG, at, first.ticket() + 1);
            words.set(ValueLayout.JAVA_LONG, at + Long.BYTES, first.encode());
        }
        fabric.registerPrompt(Functions.LOCK_WORDS, this::show);
    }

    /** Does {@code operation}; tells what it found, or nothing if nobody knows whether it was or will be done. */
    void perform(LockPlace place, WordOperation operation, Consumer<Optional<Found>> whenOver) {
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

    private static void perform(There words, int offset, WordOperation operation, Consumer<Optional<Found>> whenOver) {
        RemotePlace ticket = words.words().plus(offset);
        RemotePlace turn = ticket.plus(Long.BYTES);
        Piece found = new Piece(words.found(), offset, Long.BYTES);
        OneSided what = switch (operation) {
            case WordOperation.Draw _ -> new OneSided.FetchAndAdd(ticket, 1, found);
            case WordOperation.Look _ -> new OneSided.Read(turn, List.of(found));
            case WordOperation.Swap(Turn expected, Turn next) ->
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
        return link.call(Functions.LOCK_WORDS, new byte[0], deadline)
                .outcome()
                .thenApply(outcome ->
                        outcome instanceof CallOutcome.Answered(byte[] place) && place.length == PLACE_BYTES
                                ? connect(link, ByteBuffer.wrap(place))
                                : Optional.empty());
    }

    private static Optional<There> connect(PeerLink link, ByteBuffer place) {
        RemotePlace remote = new RemotePlace(place.getLong(), place.getInt());
        MemorySegment found = Arena.ofAuto().allocate(LENGTH_BYTES, ALIGNMENT);
        try {
            return Optional.of(new There(link, remote, link.register(found, Set.of(Access.LOCAL_WRITE))));
        } catch (IOException over) {
            return Optional.empty();
        }
    }

    /** Tells a caller where the words are, for its connection. */
    private byte[] show(Request request) {
        Caller caller = request.caller();
        Registration known = shown.get(caller);
        RemotePlace place = (known == null ? register(caller) : known).place();
        return ByteBuffer.allocate(PLACE_BYTES)
                .putLong(place.address())
                .putInt(place.key())
                .array();
    }

    private Registration register(Caller caller) {
        try {
            Registration registration = caller.register(words, Set.of(Access.REMOTE_READ, Access.REMOTE_ATOMIC));
            shown.put(caller, registration);
            caller.whenOver(() -> shown.remove(caller));
            return registration;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
