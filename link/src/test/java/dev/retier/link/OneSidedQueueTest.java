package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneSidedQueueTest {
    private final VerbsWorld world = new VerbsWorld();
    private final TwoEnds ends;
    private final OneSidedQueue queue;
    private final MemorySegment remote = TwoEnds.word();
    private final IbvMr theirs;
    private final List<String> told = new ArrayList<>();
    private long nowNanos = 1000;

    OneSidedQueueTest() throws IOException {
        ends = new TwoEnds(world);
        queue = new OneSidedQueue(ends.ready(), ends.sends, () -> nowNanos, 3);
        theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
    }

    /** Tells under a name. */
    private record Told(String name, List<String> told) implements OneSidedQueue.Operation {
        @Override
        public void done() {
            told.add(name + " done");
        }

        @Override
        public void notDone(String reason) {
            told.add(name + " not done: " + reason);
        }

        @Override
        public void unknown(String reason) {
            told.add(name + " unknown: " + reason);
        }
    }

    private void read(String name) throws IOException {
        queue.post(new Told(name, told), List.of(ends.read(remote, theirs)));
    }

    @Test
    void shouldTellThatItWasDone_whenTheAnswerHasCome() throws IOException {
        remote.set(ValueLayout.JAVA_LONG, 0, 4711);
        MemorySegment local = TwoEnds.word();
        queue.post(new Told("a", told), List.of(ends.request(IbvSendWR.IBV_WR_RDMA_READ, local, remote, theirs)));
        assertThat(told).isEmpty();
        ends.drain();

        assertThat(told).containsExactly("a done");
        assertThat(local.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4711);
        assertThat(ends.heard.told).isEmpty();
    }

    @Test
    void shouldEndTheWholeByItsLast_whenAnOperationHasSeveralRequests() throws IOException {
        IbvSendWR first = ends.read(remote, theirs);
        first.setSend_flags(0);
        assertThat(queue.reserve(2)).isTrue();
        queue.post(new Told("a", told), List.of(first, ends.read(remote, theirs)));
        assertThat(queue.reserve(2)).isFalse();
        ends.drain();

        assertThat(told).containsExactly("a done");
        assertThat(queue.reserve(3)).as("both places are free again").isTrue();
        assertThat(queue.reserve(1)).isFalse();
    }

    @Test
    void shouldHaveRoomForSoMany_whenNoneEnds() {
        assertThat(queue.reserve(3)).isTrue();
        assertThat(queue.reserve(1)).isFalse();
        queue.giveBack(1);
        assertThat(queue.reserve(1)).isTrue();
    }

    @Test
    void shouldTellThatItWasNotBegun_whenItCannotBePosted() throws IOException {
        queue.reserve(1);
        world.fail("postSend", 1);
        read("a");

        assertThat(told).containsExactly("a not done: postSend failed as planned");
        assertThat(queue.reserve(3)).isTrue();
        assertThat(ends.sends.expected()).isZero();
    }

    @Test
    void shouldBeginNothing_whenItIsClosed() throws IOException {
        assertThat(queue.over()).isEmpty();
        world.hold(Kind.READ);
        queue.reserve(1);
        read("a");
        queue.close("the peer is gone");
        queue.reserve(1);
        read("b");

        assertThat(queue.over()).isEqualTo("the peer is gone");
        assertThat(told).containsExactly("b not done: the peer is gone");
        assertThat(world.waiting()).as("only what was begun before").isEqualTo(1);
        world.release();
        ends.drain();
        assertThat(told).last().isEqualTo("a done");
    }

    @Test
    void shouldTellThatItWasNotBegun_whenTheConnectionEndsWhileItIsPosted() throws IOException {
        List<OneSidedQueue> over = new ArrayList<>();
        OneSidedQueue ending = new OneSidedQueue(
                ends.ready(),
                ends.sends,
                () -> {
                    over.forEach(each -> each.close("the connection broke"));
                    over.forEach(OneSidedQueue::end);
                    return nowNanos;
                },
                3);
        over.add(ending);
        world.hold(Kind.READ);
        ending.reserve(1);
        ending.post(new Told("a", told), List.of(ends.read(remote, theirs)));

        assertThat(told).containsExactly("a not done: the connection broke");
        assertThat(world.waiting()).isZero();
    }

    @Test
    void shouldTellThatNobodyKnows_whenTheConnectionEndsBeforeTheAnswer() throws IOException {
        world.hold(Kind.READ);
        queue.reserve(2);
        read("a");
        read("b");
        queue.close("the connection broke");
        queue.end();

        assertThat(told)
                .containsExactlyInAnyOrder("a unknown: the connection broke", "b unknown: the connection broke");
        assertThat(queue.reserve(3)).isTrue();
        assertThat(ends.sends.expected()).isZero();
        world.release();
        ends.drain();
        queue.end();
        assertThat(told).as("each is told once").hasSize(2);
    }

    @Test
    void shouldEndTheConnectionAndNotTheOperation_whenOneFails() throws IOException {
        queue.reserve(1);
        IbvSendWR bad = ends.read(TwoEnds.word(), theirs);
        queue.post(new Told("a", told), List.of(bad));
        ends.drain();

        assertThat(told).as("until the connection has ended").isEmpty();
        assertThat(ends.heard.told).contains("broken: an operation failed");
        queue.close("an operation failed");
        queue.end();
        assertThat(told).containsExactly("a unknown: an operation failed");
    }

    @Test
    void shouldTellSinceWhenTheOldestIsUnderWay_whenSeveralAre() throws IOException {
        assertThat(queue.oldestNanos(5)).as("none").isEqualTo(5);
        world.hold(Kind.READ);
        queue.reserve(3);
        nowNanos = 2000;
        read("a");
        nowNanos = 1500;
        read("b");
        nowNanos = 3000;
        read("c");

        assertThat(queue.oldestNanos(4000)).isEqualTo(1500);
        world.release();
        ends.drain();
        assertThat(queue.oldestNanos(4000)).isEqualTo(4000);
    }

    @Test
    void shouldPostInWhateverWay_whenTheCallIsPrepared() throws IOException {
        queue.reserve(1);
        List<Long> ids = new ArrayList<>();
        queue.post(new Told("a", told), 1, ids::add);
        assertThat(queue.reserve(3)).isFalse();
        IbvSendWR read = ends.read(remote, theirs);
        read.setWr_id(ids.getFirst());
        ends.asking.prepare(List.of(read)).execute();
        ends.drain();

        assertThat(told).containsExactly("a done");
        assertThat(queue.reserve(3)).isTrue();
    }
}
