package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.OneSided.Piece;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.Priority;
import dev.retier.link.LinkMetric;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One-sided operations of node 1 on memory of node 2, and what becomes of them with their connection. */
@Timeout(60)
class OneSidedTest {
    private static final int SHARE = 1;
    private static final OpOutcome.NotDone TOO_MANY =
            new OpOutcome.NotDone("too many operations on " + node(2) + " are under way");

    private final MemoryNodes nodes = new MemoryNodes(2, MemoryNodes.LIMITS).openAll();
    private final MemorySegment shared = Arena.ofAuto().allocate(64, 64);
    private final ConcurrentLinkedQueue<Registration> shown = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Caller> callers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger over = new AtomicInteger();
    private final PeerLink link = nodes.link(1, 2);
    private RemotePlace place = new RemotePlace(0, 0);
    private Registration own = own(link);

    @BeforeEach
    void share() throws InterruptedException {
        nodes.at(2).register(SHARE, request -> {
            Caller caller = request.caller();
            Registration registered = register(caller, shared);
            shown.add(registered);
            callers.add(caller);
            caller.whenOver(over::incrementAndGet);
            return ByteBuffer.allocate(12)
                    .putLong(registered.place().address())
                    .putInt(registered.place().key())
                    .array();
        });
        place = ask(link);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldReadWriteSwapAndAdd_whenAHandlerHasRegisteredMemory() {
        own.memory().set(ValueLayout.JAVA_LONG, 0, 41);

        assertThat(link.post(write(0)).join()).isEqualTo(new OpOutcome.Done(0));
        assertThat(link.post(add(1)).join()).isEqualTo(new OpOutcome.Done(41));
        assertThat(link.post(new OneSided.CompareAndSwap(place, 42, 99, piece(8)))
                        .join())
                .isEqualTo(new OpOutcome.Done(42));
        assertThat(link.post(new OneSided.CompareAndSwap(place, 42, 77, piece(8)))
                        .join())
                .isEqualTo(new OpOutcome.Done(99));
        assertThat(link.post(new OneSided.Read(place, List.of(new Piece(own, 40, 3), new Piece(own, 16, 5))))
                        .join())
                .isEqualTo(new OpOutcome.Done(0));
        assertThat(own.memory().get(ValueLayout.JAVA_BYTE, 40)).isEqualTo((byte) 99);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(99);
        assertThat(own.memory().byteSize()).isEqualTo(64);
    }

    @Test
    void shouldEndWhenTheBytesAreInPlace_whenAWriteIsPlaced() {
        own.memory().set(ValueLayout.JAVA_LONG, 0, 5);
        nodes.world().hold(Kind.READ);
        CompletableFuture<OpOutcome> placed = link.place(write(0), piece(8));
        assertThat(shared.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(5);
        assertThat(placed).isNotDone();
        nodes.world().release();

        assertThat(placed.join()).isEqualTo(new OpOutcome.Done(0));
    }

    @Test
    void shouldRefuse_whenThePiecesCannotBe() {
        assertThatThrownBy(() -> link.post(new OneSided.Read(place, List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("0 pieces; 1 to 4 are allowed");
        List<Piece> five = List.of(piece(0), piece(8), piece(16), piece(24), piece(32));
        assertThatThrownBy(() -> link.post(new OneSided.Write(five, place)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(link.post(new OneSided.Write(five.subList(0, 4), place)).join())
                .isEqualTo(new OpOutcome.Done(0));
        assertThatThrownBy(() -> link.post(new OneSided.FetchAndAdd(place, 1, new Piece(own, 0, 4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an atomic finds 8 bytes, not 4");
        assertThatThrownBy(() -> link.post(new OneSided.Read(place, List.of(new Piece(own, 60, 8)))))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseOneMore_whenAsManyAsMayBeAreUnderWay() {
        for (int round = 0; round < 2; round++) {
            nodes.world().hold(Kind.READ);
            List<CompletableFuture<OpOutcome>> reads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                reads.add(link.post(read()));
            }
            assertThat(link.post(read()).join()).isEqualTo(TOO_MANY);
            CompletableFuture<OpOutcome> patient = link.post(read(), Priority.LOW);
            assertThat(reads).noneMatch(CompletableFuture::isDone);
            assertThat(patient).isNotDone();
            nodes.world().release();

            reads.add(patient);
            assertThat(reads).allMatch(read -> read.join().equals(new OpOutcome.Done(0)));
        }
    }

    @Test
    void shouldHoldBackSoManyAndNoMore_whenUrgentOnesAreUnderWay() {
        nodes.world().hold(Kind.READ);
        CompletableFuture<OpOutcome> urgent = link.post(read());
        List<CompletableFuture<OpOutcome>> low = new ArrayList<>();
        for (int i = 0; i < 66; i++) {
            low.add(link.post(read(), Priority.LOW));
        }

        assertThat(nodes.world().waiting())
                .as("two of low priority beside the urgent one")
                .isEqualTo(3);
        assertThat(low).noneMatch(CompletableFuture::isDone);
        assertThat(link.post(read(), Priority.LOW).join()).isEqualTo(TOO_MANY);
        nodes.world().release();
        assertThat(urgent.join()).isEqualTo(new OpOutcome.Done(0));
        assertThat(low).allMatch(read -> read.join().equals(new OpOutcome.Done(0)));
    }

    @Test
    void shouldTellHowEachEnded_whenTheConnectionIsLost() throws InterruptedException {
        nodes.world().hold(Kind.READ, Kind.CONNECT);
        CompletableFuture<OpOutcome> urgent = link.post(read());
        List<CompletableFuture<OpOutcome>> low = List.of(
                link.post(read(), Priority.LOW), link.post(read(), Priority.LOW), link.post(read(), Priority.LOW));
        MemorySegment memory = own.memory();
        shared.fill((byte) 1);

        nodes.lose(1, 2);

        assertThat(urgent.join()).isInstanceOf(OpOutcome.Unknown.class);
        assertThat(low.get(0).join()).isInstanceOf(OpOutcome.Unknown.class);
        assertThat(low.get(1).join()).isInstanceOf(OpOutcome.Unknown.class);
        assertThat(low.get(2).join()).isInstanceOf(OpOutcome.NotDone.class);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(link.isOpen()).isFalse();
        for (Priority priority : Priority.values()) {
            assertThat(link.post(read(), priority).join())
                    .isInstanceOfSatisfying(
                            OpOutcome.NotDone.class,
                            notDone -> assertThat(notDone.reason()).isNotEmpty());
        }
        assertThatThrownBy(() -> link.register(shared, Set.of(MemoryAccess.LOCAL_WRITE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the connection with node-2 is over: ");
        assertThat(link.call(SHARE, new byte[0], PATIENCE).await())
                .isInstanceOfSatisfying(
                        CallOutcome.NotDone.class,
                        notDone -> assertThat(notDone.why()).isEqualTo(CallOutcome.Why.LOST));
    }

    @Test
    void shouldBeUsableAgain_whenItIsConnectedAgain() throws InterruptedException {
        nodes.world().hold(Kind.READ);
        List<CompletableFuture<OpOutcome>> lost = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            lost.add(link.post(read()));
        }
        nodes.lose(1, 2);
        assertThat(lost).allMatch(read -> read.join() instanceof OpOutcome.Unknown);
        nodes.world().dropWaiting();
        nodes.world().release();
        nodes.awaitConnected();

        PeerLink again = nodes.link(1, 2);
        assertThat(again).isNotEqualTo(link);
        place = ask(again);
        own = own(again);
        for (Priority priority : List.of(Priority.LOW, Priority.LOW, Priority.LOW, Priority.HIGH)) {
            assertThat(again.post(read(), priority).join()).isEqualTo(new OpOutcome.Done(0));
        }
    }

    @Test
    void shouldTellWhoServes_whenAConnectionIsOver() {
        Caller caller = Objects.requireNonNull(callers.peek());
        assertThat(caller.node()).isEqualTo(node(1));
        assertThat(caller.isOpen()).isTrue();
        assertThat(over).hasValue(0);

        nodes.lose(1, 2);

        MemoryNodes.until(() -> over.get() == 1);
        assertThat(caller.isOpen()).isFalse();
        caller.whenOver(over::incrementAndGet);
        assertThat(over).hasValue(2);
        assertThatThrownBy(() -> caller.register(shared, Set.of(MemoryAccess.REMOTE_READ)))
                .isInstanceOf(IOException.class)
                .hasMessage("the connection with node-1 is over: the connection is closed");
    }

    @Test
    void shouldEndTheConnection_whenAKeyIsNotGood() {
        Objects.requireNonNull(shown.peek()).close();

        assertThat(link.post(read()).join()).isInstanceOf(OpOutcome.Unknown.class);
        MemoryNodes.until(() -> nodes.at(2).metrics().getOrDefault(LinkMetric.KEYS_REFUSED, 0L) == 1);
    }

    @Test
    void shouldEndTheConnection_whenMoreIsDoneThanWasAllowed() throws InterruptedException {
        MemorySegment readable = Arena.ofAuto().allocate(64, 64);
        nodes.at(2).register(2, request -> {
            try {
                RemotePlace there = request.caller()
                        .register(readable, Set.of(MemoryAccess.REMOTE_READ))
                        .place();
                return ByteBuffer.allocate(12)
                        .putLong(there.address())
                        .putInt(there.key())
                        .array();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        place = place(link.call(2, new byte[0], PATIENCE));
        assertThat(link.post(read()).join()).isEqualTo(new OpOutcome.Done(0));
        own.memory().fill((byte) 3);

        assertThat(link.post(write(0)).join()).isNotInstanceOf(OpOutcome.Done.class);
        assertThat(readable.get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @Test
    void shouldRefuseARegistration_whenANodeCallsItself() throws InterruptedException {
        nodes.at(2).register(3, request -> {
            request.caller().whenOver(over::incrementAndGet);
            return register(request.caller(), shared).place().toString().getBytes(StandardCharsets.UTF_8);
        });
        assertThat(nodes.at(2).call(node(2), 3, new byte[0], PATIENCE).await())
                .isInstanceOfSatisfying(
                        CallOutcome.Failed.class,
                        failed -> assertThat(failed.reason())
                                .contains("calls of a node to itself come on no connection"));
    }

    private OneSided.Read read() {
        return new OneSided.Read(place, List.of(Piece.all(own)));
    }

    private OneSided.Write write(int offset) {
        return new OneSided.Write(List.of(piece(offset)), place);
    }

    private OneSided.FetchAndAdd add(long addend) {
        return new OneSided.FetchAndAdd(place, addend, piece(8));
    }

    private Piece piece(int offset) {
        return new Piece(own, offset, 8);
    }

    private RemotePlace ask(PeerLink on) throws InterruptedException {
        return place(on.call(SHARE, new byte[0], PATIENCE));
    }

    private static RemotePlace place(Call call) throws InterruptedException {
        ByteBuffer fields = ByteBuffer.wrap(((CallOutcome.Answered) call.await()).answer());
        return new RemotePlace(fields.getLong(), fields.getInt());
    }

    private static Registration own(PeerLink link) {
        try {
            return link.register(Arena.ofAuto().allocate(64, 64), Set.of(MemoryAccess.LOCAL_WRITE));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Registration register(Caller caller, MemorySegment memory) {
        try {
            return caller.register(
                    memory, Set.of(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_ATOMIC));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
