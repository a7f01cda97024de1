package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a connection is used for at either end, and how its end is told: {@link OutgoingLink}, {@link IncomingLink}. */
class LinkTest extends CellFixture {
    /** From a node that sees another to that, whose memory is registered for it. */
    private static void ring(Use from, Use to, int value) throws IOException {
        MemorySegment memory = TwoEnds.word();
        IbvMr theirs = to.ready.pair().register(memory, IbvMr.IBV_ACCESS_REMOTE_WRITE);
        IbvMr own = from.ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        IbvSendWR write = QueuePair.request(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, memory, own);
        write.getRdma().setRemote_addr(memory.address());
        write.getRdma().setRkey(theirs.getRkey());
        write.setImm_data(value);
        from.ready.pair().post(List.of(write));
    }

    @Test
    void shouldTellItsUser_whenThePeerRings() throws IOException {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        ring(one.use(TWO), two.servedTo(ONE), 17);
        ring(two.servedTo(ONE), one.use(TWO), 18);
        steps(2);

        assertThat(two.servedTo(ONE).heard).containsExactly("rung 17");
        assertThat(one.use(TWO).heard).containsExactly("rung 18");
    }

    @Test
    void shouldTellItsUser_whenThePeerNudgesByAMessageWithoutAByte() throws IOException {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        one.use(TWO).ready.pair().send(ByteBuffer.allocate(0));
        steps(2);

        assertThat(two.servedTo(ONE).heard).containsExactly("nudged");
        assertThat(one.sees(TWO)).isTrue();
    }

    @Test
    void shouldEndTheConnection_whenThePeerSaysMoreThanAHandshake() throws IOException {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use served = two.servedTo(ONE);
        one.use(TWO).ready.pair().send(ByteBuffer.allocate(8));
        pass(100);

        assertThat(served.over && served.freed).isTrue();
        assertThat(two.sees(TWO)).as("no other").isTrue();
    }

    @Test
    void shouldEndTheConnection_whenItsUserSaysSo() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use up = one.use(TWO);
        Use served = two.servedTo(ONE);
        up.ready.onBroken().accept("an operation failed");
        assertThat(up.reason).isEqualTo("an operation failed");
        assertThat(up.freed).as("the queue pair is still there").isFalse();
        assertThat(one.sees(TWO)).isFalse();
        pass(2000);

        assertThat(up.freed).isTrue();
        assertThat(served.over && served.freed).isTrue();
        assertThat(one.sees(TWO)).as("again").isTrue();
        assertThat(one.count(LinkMetric.CONNECTIONS_LOST)).isEqualTo(1);
        assertThat(logged.warnings("node-1 lost node-2 at")).hasSize(1);
    }

    /** Until then a late answer may still land in its memory. */
    @Test
    void shouldTellItsUserThatItIsFreed_whenTheQueuePairIsGone() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        int before = world.openPairs();
        List<Integer> left = new ArrayList<>();
        Use up = one.use(TWO);
        up.whenFreed = () -> left.add(world.openPairs());
        two.servedTo(ONE).whenFreed = () -> left.add(world.openPairs());
        up.ready.onBroken().accept("an operation failed");
        pass(2000);

        assertThat(left).containsExactly(before - 1, before - 2);
    }

    @Test
    void shouldEndTheConnection_whenWhoeverServesItSaysSo() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use served = two.servedTo(ONE);
        served.ready.onBroken().accept("it broke the rules");
        pass(100);

        assertThat(served.over && served.freed).isTrue();
        assertThat(served.reason).isEqualTo("the connection is closed");
        assertThat(one.count(LinkMetric.CONNECTIONS_LOST)).isEqualTo(1);
    }

    @Test
    void shouldEndTheConnection_whenWhatServesItStalls() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use served = two.servedTo(ONE);
        served.oldestNanos = nowNanos - TimeUnit.SECONDS.toNanos(1);
        pass(1000);
        assertThat(served.over).as("at the bound").isFalse();
        pass(50);

        assertThat(served.over && served.freed).isTrue();
        assertThat(one.link(TWO).dueNanos()).isLessThan(Long.MAX_VALUE);
    }

    @Test
    void shouldNameThePeer_whenItUsesAKeyThatItMayNotUse() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        world.lose(one.use(TWO).pair(), 0x0100);
        pass(100);

        assertThat(two.count(LinkMetric.KEYS_REFUSED)).isEqualTo(1);
        assertThat(logged.warnings("node-2 refuses node-1 at 127.0.0.1: it used a key"))
                .hasSize(1);
    }

    @Test
    void shouldBeDueForNothing_whileItIsUp() {
        Node one = open(ONE);
        assertThat(one.link(ONE).dueNanos()).as("its first try").isZero();
        pass(1000);

        assertThat(one.link(ONE).dueNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(one.link(ONE).address()).isEqualTo(peers.get(ONE));
        assertThat(one.keeper.connected()).isEqualTo(1);
    }

    @Test
    void shouldLookOnlyAtItsOwnConnections_whenAnOlderOneStillTellsSomething() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use former = one.use(TWO);
        world.lose(former.pair());
        pass(2000);
        Use present = one.use(TWO);
        former.ready.onBroken().accept("long ago");

        assertThat(present).isNotSameAs(former);
        assertThat(present.over).isFalse();
        assertThat(one.sees(TWO)).isTrue();
        assertThat(two.servedTo(ONE).over).isFalse();
    }

    @Test
    void shouldTryAgain_whenNobodyListens() {
        Node one = new Node(ONE, peers, Secrets.only(SECRET), false);
        pass(2000);
        assertThat(one.sees(TWO)).isFalse();
        int before = world.live().getOrDefault("createId", 0);
        pass(2000);
        assertThat(world.live().get("createId")).as("each try frees its own").isLessThanOrEqualTo(before + 1);

        Node two = open(TWO);
        pass(2000);
        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();
    }

    @Test
    void shouldTryAgain_whenACallOfTheConnectionManagerFails() {
        Node one = new Node(ONE, Map.of(ONE, address(ONE)), Secrets.only(SECRET), true);
        for (String call : List.of("createId", "resolveAddr", "resolveRoute", "connect", "createQP", "accept")) {
            world.fail(call, 1);
        }
        pass(10_000);

        assertThat(one.sees(ONE)).isTrue();
        assertThat(world.live()).containsEntry("createQP", 2);
    }

    @Test
    void shouldTryAgain_whenThePeerCannotBeReached() {
        Map<EventType, String> calls = Map.of(
                EventType.RDMA_CM_EVENT_ADDR_ERROR, "resolveAddr",
                EventType.RDMA_CM_EVENT_ROUTE_ERROR, "resolveRoute",
                EventType.RDMA_CM_EVENT_UNREACHABLE, "connect",
                EventType.RDMA_CM_EVENT_CONNECT_ERROR, "connect",
                EventType.RDMA_CM_EVENT_REJECTED, "connect",
                EventType.RDMA_CM_EVENT_DISCONNECTED, "connect");
        calls.forEach((event, call) -> {
            Node one = new Node(ONE, Map.of(ONE, address(ONE)), Secrets.only(SECRET), false);
            world.answer(call, event);
            steps(2);
            assertThat(one.sees(ONE)).isFalse();
            pass(500);
            assertThat(one.sees(ONE))
                    .as("long before a try has taken too long, after " + event)
                    .isTrue();
            nodes.clear();
            one.keeper.close();
            one.close();
        });
        assertThat(world.live()).isEmpty();
    }

    @Test
    void shouldTakeNoNotice_whenAnEventTellsNothing() {
        Node one = new Node(ONE, Map.of(ONE, address(ONE)), Secrets.only(SECRET), false);
        world.answer("connect", EventType.RDMA_CM_EVENT_TIMEWAIT_EXIT);
        pass(2900);
        assertThat(one.sees(ONE)).as("the try goes on").isFalse();
        assertThat(one.link(ONE).dueNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(3050));
    }

    @Test
    void shouldGiveUpTheTry_whenTheAnswerDoesNotComeInThreeSeconds() {
        world.hold(Kind.ANSWER);
        Node one = new Node(ONE, Map.of(ONE, address(ONE)), Secrets.only(SECRET), true);
        pass(2900);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isZero();
        pass(200);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        world.dropWaiting();
        world.release();
        pass(2000);

        assertThat(one.sees(ONE)).isTrue();
    }

    private InetSocketAddress address(NodeId node) {
        return Objects.requireNonNull(peers.get(node));
    }
}
