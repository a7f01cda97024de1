package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What two connected ends do. */
class ExchangeTest extends TwoEnds {
    @Test
    void shouldCarryMessagesAndReachMemory_whenConnected() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        assertThat(fake.calls())
                .contains(
                        "connect, reads 255 255, flow 0, retries 5 6",
                        "pair of 8 sends, 9 receives, 5 and 6 elements, 64 inline, all 0");
        assertThat(to.id.getSource()).isEqualTo(THERE);
        assertThat(from.id.getDestination()).isEqualTo(THERE);
        from.buffer.putLong(0, 11).putLong(8, 22).putLong(64, 33);
        to.receive(7, 128, 64);
        from.post(from.work(IbvSendWR.IBV_WR_SEND, to, 0, from.element(0, 16), from.element(64, 8)));
        assertThat(from.status()).isZero();
        IbvWC received = to.completions().getFirst();
        assertThat(received.getWr_id()).isEqualTo(7);
        assertThat(received.getByte_len()).isEqualTo(24);
        assertThat(received.getOpcode()).isEqualTo(128);
        assertThat(received.getQp_num()).isEqualTo(to.pair.getQp_num());
        assertThat(to.buffer.getLong(136)).isEqualTo(22);
        assertThat(to.buffer.getLong(144)).isEqualTo(33);
        from.post(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, to, 512, from.element(64, 8)));
        assertThat(from.status()).isZero();
        assertThat(to.buffer.getLong(512)).isEqualTo(33);
        from.post(from.work(IbvSendWR.IBV_WR_RDMA_READ, to, 136, from.element(1024, 8)));
        assertThat(from.status()).isZero();
        assertThat(from.buffer.getLong(1024)).isEqualTo(22);
        from.end();
        to.end();
    }

    @Test
    void shouldSayWhatWasWritten_whenAWriteHasAnImmediate() throws IOException {
        End[] ends = connected();
        ends[0].buffer.putLong(0, 44);
        ends[1].receive(3, 0, 64);
        IbvSendWR write = ends[0].work(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, ends[1], 512, ends[0].element(0, 8));
        write.setImm_data(0x01020304);
        ends[0].post(write);
        assertThat(fake.immediate).as("as it was given").isEqualTo(0x01020304);
        assertThat(ends[0].status()).isZero();
        assertThat(ends[1].buffer.getLong(512)).isEqualTo(44);
        IbvWC noticed = ends[1].completions().getFirst();
        assertThat(noticed.getOpcode()).isEqualTo(129);
        assertThat(noticed.getByte_len()).isEqualTo(8);
        assertThat(noticed.getImm_data()).isEqualTo(0x01020304);
        assertThat(noticed.getWc_flags()).isEqualTo(2);
        assertThat(noticed.getSrc_qp()).isEqualTo(0x55);
        assertThat(noticed.getVendor_err()).isEqualTo(0x77);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldSwapAndAdd_whenTheDeviceHasAtomics() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        to.buffer.putLong(256, 50);
        IbvSendWR swap = from.work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, to, 256, from.element(0, 8));
        swap.getAtomic().setCompare_add(50);
        swap.getAtomic().setSwap(60);
        IbvSendWR add = from.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, to, 256, from.element(8, 8));
        add.getAtomic().setCompare_add(5);
        from.post(swap, add);
        assertThat(from.completions()).extracting(IbvWC::getStatus).containsExactly(0, 0);
        assertThat(from.buffer.getLong(0)).isEqualTo(50);
        assertThat(from.buffer.getLong(8)).isEqualTo(60);
        assertThat(to.buffer.getLong(256)).isEqualTo(65);
        from.end();
        to.end();
    }

    /** Its two keys are two numbers. */
    @Test
    void shouldReachMemoryByTheKeyForPeersOnly_whenAPeerNamesIt() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        assertThat(to.region.getRkey() - to.region.getLkey()).isEqualTo(FakeLibrary.REMOTE);
        IbvSendWR write = from.work(IbvSendWR.IBV_WR_RDMA_WRITE, to, 0, from.element(0, 8));
        from.post(write);
        assertThat(from.status()).isZero();
        write.getRdma().setRkey(to.region.getLkey());
        from.post(write);
        assertThat(from.status()).as("remote access error").isEqualTo(10);
        write.getSge(0).setLkey(from.region.getRkey());
        from.post(write);
        assertThat(from.status()).as("local protection error").isEqualTo(4);
        from.end();
        to.end();
    }

    @Test
    void shouldPostAgainWithOtherValues_whenACallIsKept() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        from.buffer.putLong(0, 1).putLong(8, 2);
        SVCPostSend call =
                from.pair.postSend(List.of(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, to, 0, from.element(0, 8))), null);
        call.execute();
        call.getWrMod(0).setWr_id(9);
        call.getWrMod(0).getRdmaMod().setRemote_addr(to.region.getAddr() + 800);
        call.getWrMod(0).getSgeMod(0).setAddr(from.region.getAddr() + 8);
        call.execute();
        assertThat(from.completions()).extracting(IbvWC::getWr_id).containsExactly(100L, 9L);
        assertThat(to.buffer.getLong(0)).isEqualTo(1);
        assertThat(to.buffer.getLong(800)).isEqualTo(2);
        call.free();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("this call was freed");
        from.end();
        to.end();
    }

    @Test
    void shouldSayWhichRequestWasRefused_whenTheQueueIsFull() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        IbvSendWR[] nine = new IbvSendWR[9];
        Arrays.setAll(nine, _ -> from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8)));
        assertThatThrownBy(() -> from.post(nine))
                .isInstanceOf(IOException.class)
                .hasMessage("request 8 of 9: the send queue is full; poll for completions, or create the queue pair"
                        + " with more");
        from.completions();
        from.completions();
        fake.postSign = -1;
        assertThatThrownBy(() -> from.post(nine[0])).hasMessageStartingWith("the send queue is full");
        from.end();
        ends[1].end();
    }

    @Test
    void shouldTellItsState_whenAsked() throws IOException {
        End[] ends = connected();
        assertThat(ends[0].pair.getState()).isEqualTo(3);
        fake.pairState = 6;
        assertThat(ends[0].pair.getState()).isEqualTo(6);
        fake.pairState = 3;
        fake.queryErrno = FakeLibrary.EINVAL;
        assertThat(ends[0].pair.getState()).as("of one that cannot be asked").isEqualTo(IbvQP.IBV_QPS_ERR);
        ends[0].end();
        assertThat(ends[0].pair.getState()).as("of one that is gone").isEqualTo(IbvQP.IBV_QPS_ERR);
        ends[1].end();
    }

    @Test
    void shouldWakeWhoWaits_whenACompletionComes() throws IOException {
        End[] ends = connected();
        End to = ends[1];
        ends[0].queue.reqNotification(true).execute().free();
        assertThat(fake.calls()).contains("notify of solicited").doesNotContain("notify of each");
        to.queue.reqNotification(false).execute().free();
        assertThat(fake.calls()).contains("notify of each");
        assertThat(to.notices.getCqEvent(to.queue, 0)).isFalse();
        to.receive(1, 0, 64);
        ends[0].post(ends[0].work(IbvSendWR.IBV_WR_SEND, to, 0, ends[0].element(0, 8)));
        assertThat(to.notices.getCqEvent(to.queue, 1000)).isTrue();
        assertThat(fake.calls()).contains("ack 1");
        assertThat(to.notices.getCqEvent(to.queue, 0)).isFalse();
        ends[0].end();
        to.end();
    }

    @Test
    void shouldTellBothEnds_whenOneDisconnects() throws IOException {
        End[] ends = connected();
        ends[1].receive(5, 0, 64);
        cm.disconnect(ends[0].id);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(ends[1].status()).as("flushed").isEqualTo(5);
        ends[0].end();
        ends[1].end();
        assertThat(channel.getCmEvent(0)).isNull();
    }
}
