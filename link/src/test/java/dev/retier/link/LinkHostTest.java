package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.auth.Secrets;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What all connections of a node share: completion queues, and who serves them. */
class LinkHostTest extends CellFixture {
    /** Of one connection: 8 operations, 2 receives, and a handshake. */
    private static final int COMPLETIONS = 15;

    private Node alone() {
        return new Node(ONE, Map.of(ONE, Objects.requireNonNull(peers.get(ONE))), Secrets.only(SECRET), true);
    }

    /** The first of so many nodes that share an address. */
    private Node seeing(int others) {
        Map<NodeId, InetSocketAddress> many = new HashMap<>();
        for (int i = 1; i <= others; i++) {
            many.put(new NodeId(i), new InetSocketAddress(InetAddress.getLoopbackAddress(), 1000 + i));
        }
        for (int i = 2; i <= others; i++) {
            NodeId self = new NodeId(i);
            new Node(self, many, Secrets.only(SECRET), false, Optional.ofNullable(many.get(self)));
        }
        return new Node(ONE, many, Secrets.only(SECRET), false);
    }

    @Test
    void shouldServeConnectionsBothWaysByOneQueue_whenItHasRoomForAll() throws IOException {
        Node one = alone();
        IbvContext device = TwoEnds.device(world);
        QueuePair.Queues queues = one.queues(device, true);

        assertThat(one.queues(device, false).receives()).isSameAs(queues.receives());
        assertThat(queues.sends()).isSameAs(queues.receives());
        assertThat(queues.sends().hasRoom(288 * COMPLETIONS)).isTrue();
        assertThat(queues.sends().hasRoom(288 * COMPLETIONS + 1)).isFalse();
    }

    @Test
    void shouldKeepWhatIsPostedApart_whenThoseWhoPostTakeTheAnswers() throws IOException {
        waitThemselves = true;
        Node one = alone();
        IbvContext device = TwoEnds.device(world);
        Completions own = one.operations(device).completions();

        assertThat(one.operations(device).completions()).isSameAs(own);
        assertThat(one.queues(device, true).sends()).isSameAs(own);
        assertThat(one.queues(device, true).receives()).isNotSameAs(own);
        assertThat(one.queues(device, false).sends()).isNotSameAs(own);
        assertThat(own.hasRoom(288 * COMPLETIONS)).isTrue();
    }

    @Test
    void shouldMakeAnotherQueue_whenOneIsFull() throws IOException {
        world.limitCompletionQueue(40);
        Node one = alone();
        IbvContext device = TwoEnds.device(world);
        QueuePair.Queues first = one.queues(device, true);
        assertThat(first.receives().hasRoom(40)).as("as many as the device has").isTrue();
        first.receives().reserve(40 - COMPLETIONS);
        assertThat(one.queues(device, true).receives()).isSameAs(first.receives());
        first.receives().reserve(1);

        assertThat(one.queues(device, true).receives()).isNotSameAs(first.receives());
    }

    @Test
    void shouldRefuseOneMore_whenTheQueueOfThoseWhoWaitIsFull() throws IOException {
        waitThemselves = true;
        world.limitCompletionQueue(40);
        Node one = alone();
        IbvContext device = TwoEnds.device(world);
        one.operations(device).completions().reserve(40 - COMPLETIONS);
        assertThat(one.queues(device, true).sends().hasRoom(COMPLETIONS)).isTrue();
        one.operations(device).completions().reserve(1);

        assertThatThrownBy(() -> one.queues(device, true))
                .isInstanceOf(IOException.class)
                .hasMessage("the completion queue has no room for one more connection");
        assertThat(one.queues(device, false))
                .as("what the others ask for goes on")
                .isNotNull();
    }

    @Test
    void shouldSayWhichDevices_whenAPeerIsReachedOverAnotherOne() throws IOException {
        Node one = alone();
        IbvContext device = TwoEnds.device(world);
        IbvContext other = TwoEnds.device(world);
        one.queues(device, false);

        assertThatThrownBy(() -> one.queues(other, true))
                .isInstanceOf(IOException.class)
                .hasMessage("the way there is over memory, while this node's connections are over memory: give it the"
                        + " address of one device, not one of all");
        assertThat(one.queues(device, true)).isNotNull();
    }

    @Test
    void shouldNotStart_whenTheDeviceHasTooLittle() {
        world.limitCompletionQueue(14);
        assertThatThrownBy(this::alone)
                .isInstanceOf(TransportException.class)
                .hasMessage("memory has 14 entries of a completion queue, not the 15 wanted: use another device, or"
                        + " lower limits");
        world.limitCompletionQueue(15);
        world.limitElements(2, 0);
        assertThatThrownBy(this::alone)
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith("memory has 0 scatter/gather elements of a work request, not the 1 wanted");
        assertThat(world.live()).as("objects that are left").isEmpty();
        world.limitElements(1, 1);

        assertThat(alone().keeper.abilities().device()).isEqualTo("memory");
    }

    @Test
    void shouldUseAQueueAgain_whenTheConnectionThatItWasMadeForIsOver() {
        world.limitCompletionQueue(20);
        Node one = seeing(3);
        pass(2000);
        int before = world.live().getOrDefault("createCQ", 0);
        for (int i = 0; i < 10; i++) {
            world.lose(one.use(new NodeId(2)).pair());
            pass(1500);
        }

        assertThat(one.keeper.connected()).isEqualTo(3);
        assertThat(world.live().getOrDefault("createCQ", 0)).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void shouldTakeLateAnswers_whenNobodyWaitsForThem() throws IOException {
        waitThemselves = true;
        Node one = alone();
        pass(1000);
        Use use = one.use(ONE);
        MemorySegment memory = TwoEnds.word();
        QueuePair there = one.servedTo(ONE).ready.pair();
        IbvMr theirs = there.register(memory, IbvMr.IBV_ACCESS_REMOTE_READ);
        IbvMr own = use.ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        Completions operations = one.operations(use.ready.pair().device()).completions();
        IbvSendWR read = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, memory, own);
        read.getRdma().setRemote_addr(memory.address());
        read.getRdma().setRkey(theirs.getRkey());
        read.setWr_id(operations.nextId());
        operations.expect(read.getWr_id(), (_, _) -> use.heard.add("answered"));
        use.ready.pair().post(List.of(read));
        assertThat(use.heard).isEmpty();
        one.tidy();

        assertThat(use.heard).containsExactly("answered");
    }

    @Test
    void shouldFreeAllQueues_whenItIsClosed() {
        waitThemselves = true;
        Node one = alone();
        pass(1000);
        assertThat(one.sees(ONE)).isTrue();
        assertThat(world.live()).containsEntry("createCQ", 2);
        one.keeper.close();
        one.close();

        assertThat(world.live()).isEmpty();
    }

    @Test
    void shouldNeverDrawTheSameNonce_whenHandshakesBegin() {
        Node one = alone();

        assertThat(one.nonce()).hasSize(16).isNotEqualTo(one.nonce());
        assertThat(one.identity().incarnation()).isPositive();
        assertThat(one.links().self()).isEqualTo(ONE);
    }

    @Test
    void shouldDoNothing_whenWhatAConnectionIsUsedForIsSaidByNobody() {
        assertThat(Connection.PASSIVE.oldestNanos(42)).isEqualTo(42);
    }
}
