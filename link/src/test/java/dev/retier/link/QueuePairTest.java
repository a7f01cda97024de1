package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuePairTest {
    private final VerbsWorld world = new VerbsWorld();
    private final TwoEnds ends;
    private final MemorySegment remote = TwoEnds.word();

    QueuePairTest() throws IOException {
        ends = new TwoEnds(world);
    }

    /** Of that size, and never touched. */
    @SuppressWarnings("restricted")
    private static MemorySegment memory(long bytes) {
        return MemorySegment.NULL.reinterpret(bytes);
    }

    /** Writes and announces it, and takes what comes of that at both ends. */
    private void ring(int value) throws IOException {
        IbvMr theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_WRITE);
        IbvSendWR write = ends.request(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, TwoEnds.word(), remote, theirs);
        write.setImm_data(value);
        ends.asking.post(List.of(write));
        ends.drain();
    }

    @Test
    void shouldRefuseToRegisterMore_thanALengthCanSay() {
        assertThat(QueuePair.length(memory(Integer.MAX_VALUE))).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> QueuePair.length(memory(Integer.MAX_VALUE + 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2147483648 bytes")
                .hasMessageContaining("in parts");
    }

    @Test
    void shouldHandOverEachMessage_whenAHandshakeAndAGoodbyeAreSent() throws IOException {
        for (String message : List.of("one", "x".repeat(192), "goodbye")) {
            ends.asking.send(TwoEnds.bytes(message));
        }
        ends.answering.send(TwoEnds.bytes("answer"));
        ends.drain();

        assertThat(ends.heardThere.told)
                .containsExactly("message one", "message " + "x".repeat(192), "message goodbye");
        assertThat(ends.heard.told).containsExactly("message answer");
        assertThatThrownBy(() -> ends.asking.send(TwoEnds.bytes("more")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("3 messages at most");
    }

    @Test
    void shouldKeepEachMessage_whenTheyAreUnderWayAtOnce() throws IOException {
        world.hold(Kind.SEND);
        ends.asking.send(TwoEnds.bytes("first"));
        ends.asking.send(TwoEnds.bytes("second"));
        ends.asking.send(TwoEnds.bytes("third"));
        world.release();
        ends.drain();

        assertThat(ends.heardThere.told).containsExactly("message first", "message second", "message third");
    }

    @Test
    void shouldHearMoreThanItHasReceivesFor_whenEachIsPostedAgain() throws IOException {
        for (int i = 1; i <= 10; i++) {
            ring(i);
        }

        assertThat(ends.heardThere.told).hasSize(10).startsWith("immediate 1").endsWith("immediate 10");
        assertThat(ends.heard.told).isEmpty();
    }

    @Test
    void shouldHearAMessageWithoutAByte_whenThePeerNudges() throws IOException {
        ends.asking.send(TwoEnds.bytes(""));
        ends.drain();

        assertThat(ends.heardThere.told).containsExactly("message ");
    }

    @Test
    void shouldEndTheConnection_whenAReceiveCannotBePostedAgain() throws IOException {
        ring(1);
        ring(2);
        world.fail("postRecv", 1);
        ring(3);

        assertThat(ends.heardThere.told)
                .containsExactly("immediate 1", "immediate 2", "broken: postRecv failed as planned", "immediate 3");
    }

    @Test
    void shouldTellWhyWhereItWasTerminated_whenTheConnectionEnds() throws IOException {
        world.lose(ends.asking.pair(), 0x0100);
        ends.drain();

        assertThat(ends.heard.told).hasSize(8).contains("heard out 0", "broken: the connection broke");
        assertThat(ends.heardThere.told).hasSize(8).contains("heard out 256", "broken: the connection broke");
    }

    @Test
    void shouldTellThatAMessageWasNotSent_whenTheConnectionEndsBefore() throws IOException {
        world.hold(Kind.SEND);
        ends.asking.send(TwoEnds.bytes("unheard"));
        world.lose(ends.asking.pair());
        ends.sends.drain();

        assertThat(ends.heard.told).containsExactly("broken: a message could not be sent");
    }

    @Test
    void shouldLetThePeerReachItNoMore_whenMemoryIsDeregistered() throws IOException {
        IbvMr theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
        List<Boolean> endings = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            IbvSendWR read = ends.read(remote, theirs);
            read.setWr_id(ends.sends.nextId());
            ends.sends.expect(read.getWr_id(), (success, _) -> endings.add(success));
            ends.asking.post(List.of(read));
            int before = world.live().getOrDefault("regMr", 0);
            ends.answering.deregister(theirs);
            assertThat(world.live().get("regMr")).isEqualTo(before - (i == 0 ? 1 : 0));
        }
        ends.sends.drain();

        assertThat(endings).containsExactly(true, false);
    }

    @Test
    void shouldHaveRoomForItsOperationsAndAHandshake_whenTheyAreUnderWayAtOnce() throws IOException {
        world.hold(Kind.READ, Kind.SEND);
        IbvMr theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
        for (int i = 0; i < 3; i++) {
            ends.asking.send(TwoEnds.bytes("message"));
        }
        for (int i = 0; i < 4; i++) {
            ends.asking.post(List.of(ends.read(remote, theirs)));
        }

        assertThatThrownBy(() -> ends.asking.post(List.of(ends.read(remote, theirs))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("full with 7");
    }

    @Test
    void shouldReserveWhatMayCompleteAtOnce_whenItIsMade() {
        assertThat(TwoEnds.SIZES.completions()).isEqualTo(11);
        assertThat(ends.sends.hasRoom(TwoEnds.ENTRIES - 7)).isTrue();
        assertThat(ends.sends.hasRoom(TwoEnds.ENTRIES - 6)).isFalse();
        assertThat(ends.receives.hasRoom(TwoEnds.ENTRIES - 4)).isTrue();
        assertThat(ends.receives.hasRoom(TwoEnds.ENTRIES - 3)).isFalse();
    }

    @Test
    void shouldLeaveNothingBehind_whenItIsDestroyed() throws IOException {
        world.hold(Kind.SEND);
        ends.asking.send(TwoEnds.bytes("unheard"));
        ends.asking.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
        ends.asking.destroy();
        ends.asking.destroy();

        assertThat(world.live())
                .as("of the other end only, and of the listener nothing")
                .containsEntry("createQP", 1)
                .containsEntry("allocPd", 1)
                .containsEntry("regMr", 1)
                .containsEntry("createId", 1);
        assertThat(ends.sends.expected()).isZero();
        assertThat(ends.receives.expected()).isZero();
        assertThat(ends.sends.hasRoom(TwoEnds.ENTRIES)).isTrue();
        assertThat(ends.receives.hasRoom(TwoEnds.ENTRIES)).isTrue();
        ends.drain();
        assertThat(ends.heard.told).as("nobody is told of what was destroyed").isEmpty();
        assertThat(ends.heardThere.told).contains("broken: the connection broke");
    }

    @Test
    void shouldFreeTheRest_whenOneOfItsPartsCannotBeFreed() {
        for (String call : List.of("disconnect", "destroyQP", "deregMr", "deallocPd", "destroyId")) {
            world.fail(call, 1);
        }
        ends.asking.destroy();
        ends.answering.destroy();

        assertThat(world.live())
                .as("what could not be freed, and no more")
                .containsEntry("createQP", 1)
                .containsEntry("regMr", 1)
                .containsEntry("allocPd", 1)
                .containsEntry("createId", 1);
    }

    @Test
    void shouldSignalTheRequestOnAllItsPieces_whenOneIsMade() throws IOException {
        MemorySegment local = TwoEnds.word();
        IbvMr registration = ends.asking.register(local, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, local, registration);

        assertThat(request.getOpcode()).isEqualTo(IbvSendWR.IBV_WR_RDMA_READ);
        assertThat(request.getSend_flags()).isEqualTo(IbvSendWR.IBV_SEND_SIGNALED);
        assertThat(request.getNum_sge()).isEqualTo(1);
        assertThat(request.getSge(0).getAddr()).isEqualTo(local.address());
        assertThat(request.getSge(0).getLength()).isEqualTo(8);
        assertThat(request.getSge(0).getLkey()).isEqualTo(registration.getLkey());
    }
}
