package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Completion queues, and what is registered. */
class CompletionsTest extends TwoEnds {
    @Test
    void shouldCompleteInTheQueueOfItsKind_whenAPairHasTwo() throws IOException {
        End[] ends = connected(true);
        End from = ends[0];
        End to = ends[1];
        to.receive(7, 128, 64);
        from.post(from.work(IbvSendWR.IBV_WR_SEND, to, 0, from.element(0, 16)));
        assertThat(from.completions(from.receives)).isEmpty();
        assertThat(from.completions(from.queue)).extracting(IbvWC::getWr_id).containsExactly(102L);
        assertThat(to.completions(to.queue)).isEmpty();
        assertThat(to.completions(to.receives)).extracting(IbvWC::getWr_id).containsExactly(7L);
        from.end();
        to.end();
    }

    @Test
    void shouldTakeAsManyAsAskedFor_whenMoreAreReady() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        IbvWC[] found = {new IbvWC(), new IbvWC(), new IbvWC(), new IbvWC()};
        assertThat(from.queue.poll(found, 2).execute().getPolls()).isZero();
        assertThat(fake.polledAtMost).as("no more than there is memory for").isEqualTo(2);
        IbvSendWR[] three = new IbvSendWR[3];
        Arrays.setAll(three, index -> {
            IbvSendWR write = from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8));
            write.setWr_id(index);
            return write;
        });
        from.post(three);
        found[2].setWr_id(99);
        assertThat(from.queue.poll(found, 2).execute().getPolls()).isEqualTo(2);
        assertThat(found).extracting(IbvWC::getWr_id).startsWith(0L, 1L, 99L);
        IbvWC[] one = {new IbvWC()};
        assertThat(from.queue.poll(one, 3).execute().getPolls()).isEqualTo(1);
        assertThat(one[0].getWr_id()).isEqualTo(2);
        assertThat(from.completions()).isEmpty();
        from.end();
        ends[1].end();
    }

    @Test
    void shouldFail_whenTheDeviceCannotPollOrNotify() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        from.post(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8)));
        SVCPollCq poll = from.queue.poll(new IbvWC[] {new IbvWC()}, 1);
        assertThat(poll.execute().getPolls()).isEqualTo(1);
        fake.pollResult = -5;
        assertThatThrownBy(poll::execute).isInstanceOf(IOException.class).hasMessage("ibv_poll_cq failed: -5");
        assertThat(poll.getPolls()).as("nothing of before").isZero();
        fake.notifyErrno = FakeLibrary.EINVAL;
        assertThatThrownBy(() -> from.queue.reqNotification(false).execute())
                .isInstanceOf(IOException.class)
                .hasMessage("ibv_req_notify_cq: Invalid argument");
        from.end();
        ends[1].end();
    }

    @Test
    void shouldUseTheVectorAskedFor_whenAQueueIsMade() throws IOException {
        listener.getVerbs().createCQ(null, 4, 1).destroyCQ();
        assertThat(fake.calls()).contains("queue of 4, vector 1");
    }

    @Test
    void shouldRefuse_whenARegionHasANegativeLength() throws IOException {
        End[] ends = connected();
        assertThatThrownBy(
                        () -> verbs.regMr(ends[0].domain, 4096, -1, ALL_RIGHTS).execute())
                .isInstanceOf(IOException.class)
                .hasMessage("a memory region of -1 bytes; none may be negative");
        ends[0].end();
        ends[1].end();
    }
}
