package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.verbs.DeviceAttributes;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fails, is refused or is gone. */
class RefusalTest extends TwoEnds {
    /** DiSNI's endpoints wait for a disconnect, and would wait for ever. */
    @Test
    void shouldSayDisconnectedAfterIt_whenAConnectFails() throws IOException {
        cm.destroyCmId(listener);
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        listener = id;
        cm.resolveAddr(id, null, THERE, 1000);
        event(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        cm.connect(id, parameters("hello"));
        assertThat(event(EventType.RDMA_CM_EVENT_REJECTED).getConnIdPriv()).isSameAs(id);
        assertThat(event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv()).isSameAs(id);
        assertThat(channel.getCmEvent(0)).isNull();
    }

    @Test
    void shouldEndTheConnection_whenTheDeviceSaysThatItsQueuePairFailed() throws IOException {
        End[] ends = connected();
        fake.tell(9, 1);
        fake.tell(1, fake.pair(ends[1].pair.getQp_num()));
        assertThat(event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv()).isSameAs(ends[1].id);
        assertThat(channel.getCmEvent(0)).isNull();
        fake.tell(8, 0);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldEndTheConnectionsOfAQueue_whenTheDeviceSaysThatItOverran() throws IOException {
        End[] ends = connected();
        fake.tell(0, fake.sends(ends[1].pair.getQp_num()));
        assertThat(event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv()).isSameAs(ends[1].id);
        assertThat(channel.getCmEvent(0)).isNull();
        ends[0].end();
        ends[1].end();
    }

    /** Else it would stay in the kernel, unanswered. */
    @Test
    void shouldDestroyARequest_whenItsListenerIsGoneMeanwhile() throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.resolveAddr(id, null, THERE, 1000);
        event(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        cm.connect(id, parameters("hello"));
        cm.destroyCmId(listener);
        listener = id;
        int before = fake.left();

        assertThat(channel.getCmEvent(0)).isNull();
        assertThat(fake.left()).as("without the request").isEqualTo(before - 1);
    }

    @Test
    void shouldRefuseAtomics_whenTheDeviceHasNone() throws IOException {
        cm.destroyCmId(listener);
        cm.destroyEventChannel(channel);
        fake.atomicCap = 0;
        open();
        End[] ends = connected();
        IbvSendWR swap = ends[0].work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, ends[1], 0, ends[0].element(0, 8));
        assertThatThrownBy(() -> ends[0].post(swap))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("fake0 has no atomics");
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldNameTheLimit_whenMoreIsAskedThanTheDeviceHas() throws IOException {
        End[] ends = connected();
        IbvContext context = ends[0].id.getVerbs();
        assertThatThrownBy(() -> context.createCQ(null, 1001, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("a completion queue of 1001 entries; fake0 has at most 1000");
        IbvQPInitAttr many = new IbvQPInitAttr();
        many.cap().setMax_send_sge(7);
        many.setQp_type(IbvQP.IBV_QPT_RC);
        many.setSend_cq(ends[0].queue);
        many.setRecv_cq(ends[0].queue);
        assertThatThrownBy(() -> ends[0].id.createQP(ends[0].domain, many))
                .isInstanceOf(IOException.class)
                .hasMessage("a queue pair with 7 elements in a request; fake0 has at most 6");
        assertThat(context)
                .asInstanceOf(type(DeviceAttributes.class))
                .extracting(DeviceAttributes::maxElements, DeviceAttributes::maxReadElements)
                .containsExactly(6, 5);
        fake.regMrErrno = FakeLibrary.ENOMEM;
        assertThatThrownBy(() -> ends[0].domain
                        .regMr(ByteBuffer.allocateDirect(64), ALL_RIGHTS)
                        .execute())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("ibv_reg_mr of 64 bytes on fake0: Cannot allocate memory; registered memory")
                .hasMessageContaining("RLIMIT_MEMLOCK")
                .hasMessageEndingWith("raise LimitMEMLOCK= in the unit, or ulimit -l");
        ends[0].end();
        ends[1].end();
    }

    private static IbvQPInitAttr work(End of, int sends, int receives) {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(sends);
        attributes.cap().setMax_recv_wr(receives);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(of.queue);
        attributes.setRecv_cq(of.queue);
        return attributes;
    }

    @ParameterizedTest
    @CsvSource({"65,1,65", "1,65,65", "65,66,66"})
    void shouldNameTheLimit_whenAQueueHasMoreWorkThanTheDevice(int sends, int receives, int named) throws IOException {
        End[] ends = connected();
        ends[0].id.destroyQP();
        assertThatThrownBy(() -> ends[0].id.createQP(ends[0].domain, work(ends[0], sends, receives)))
                .isInstanceOf(IOException.class)
                .hasMessage("a queue pair with " + named + " work requests; fake0 has at most 64");
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldMakeAQueuePair_whenItIsAsLargeAsTheDeviceHasThem() throws IOException {
        End[] ends = connected();
        ends[0].id.destroyQP();
        ends[0].id.createQP(ends[0].domain, work(ends[0], 64, 64));
        assertThat(fake.calls()).contains("pair of 64 sends, 64 receives, 4 and 4 elements, 0 inline, all 0");
        ends[0].id.destroyQP();
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldTryAgain_whenSomethingIsStillUsed() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        fake.destroyErrno = FakeLibrary.EBUSY;
        assertThatThrownBy(() -> verbs.deallocPd(from.domain))
                .hasMessageStartingWith("ibv_dealloc_pd; deregister its memory and destroy its queue pairs first");
        assertThatThrownBy(from.queue::destroyCQ).hasMessageStartingWith("ibv_destroy_cq; destroy its queue pairs");
        assertThatThrownBy(from.notices::destroyCompChannel).hasMessageStartingWith("ibv_destroy_comp_channel;");
        assertThat(from.completions()).as("still there").isEmpty();
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        assertThatThrownBy(() -> cm.destroyCmId(id)).hasMessage("rdma_destroy_id: Device or resource busy");
        fake.destroyErrno = 0;
        cm.bindAddr(id, THERE);
        cm.destroyCmId(id);
        assertThat(fake.forget(((RnicCmId) id).address())).as("still there").isFalse();
        from.end();
        ends[1].end();
    }

    /** librdmacm closes it, and may open the next one at the same address. */
    @Test
    void shouldLookAtTheDeviceAnew_whenOneWasTakenAway() throws IOException {
        IbvContext before = listener.getVerbs();
        fake.tell(FakeLibrary.GONE, 0);
        until(() -> {
            RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
            cm.bindAddr(id, THERE);
            IbvContext now = id.getVerbs();
            cm.destroyCmId(id);
            return !now.equals(before);
        });
    }

    @Test
    void shouldRefuse_whenTheLibraryLaysOutItsStructuresOtherwise() throws IOException {
        End[] ends = connected();
        int before = fake.left();
        fake.shift = 16;
        assertThatThrownBy(() -> listener.getVerbs().allocPd())
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("ibv_pd.context is 0 and not");
        assertThatThrownBy(
                        () -> ends[0].domain.regMr(ends[0].buffer, ALL_RIGHTS).execute())
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("ibv_mr.addr is 0 and not");
        assertThatThrownBy(() -> listener.getVerbs().createCQ(ends[0].notices, 4, 0))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("ibv_cq.channel is 0 and not");
        assertThat(fake.left()).as("nobody could destroy them later").isEqualTo(before);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldNameWhatIsLacking_whenTheKernelSaysThatItIsNotPermitted() throws IOException {
        End[] ends = connected();
        fake.regMrErrno = 1;
        assertThatThrownBy(() -> ends[0].domain
                        .regMr(ByteBuffer.allocateDirect(64), ALL_RIGHTS)
                        .execute())
                .hasMessageContaining("RLIMIT_MEMLOCK");
        fake.bindErrno = 13;
        assertThatThrownBy(() -> cm.bindAddr(listener, THERE)).hasMessageContaining("a port below 1024");
        ends[0].end();
        ends[1].end();
    }

    /** A device writes where it was told to, whether a program remembers the buffer or not. */
    @Test
    void shouldKeepTheMemory_untilItIsDeregistered() throws IOException {
        End[] ends = connected();
        WeakReference<ByteBuffer> kept = new WeakReference<>(ByteBuffer.allocateDirect(BYTES));
        WeakReference<ByteBuffer> nobodys = new WeakReference<>(ByteBuffer.allocateDirect(BYTES));
        IbvMr region =
                ends[0].domain.regMr(kept.get(), ALL_RIGHTS).execute().free().getMr();
        collected(nobodys);
        assertThat(kept.get()).isNotNull();

        fake.destroyErrno = FakeLibrary.EBUSY;
        assertThatThrownBy(() -> region.deregMr().execute()).hasMessageStartingWith("ibv_dereg_mr");
        fake.destroyErrno = 0;
        region.deregMr().execute();
        collected(kept);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldLeaveTheLibraryAlone_whenTheChannelOfAnIdentifierWasDestroyed() throws IOException {
        RdmaEventChannel other = cm.createEventChannel();
        RdmaCmId id = cm.createId(other, RdmaCm.RDMA_PS_TCP);
        other.destroyEventChannel();
        assertThatThrownBy(() -> cm.bindAddr(id, THERE)).hasMessage("the event channel was destroyed");
        assertThatThrownBy(() -> cm.disconnect(id)).hasMessage("the event channel was destroyed");
        cm.destroyCmId(id);
        assertThat(fake.forget(((RnicCmId) id).address()))
                .as("left to the kernel")
                .isTrue();
    }

    @Test
    void shouldGiveNone_whenNoCompletionsAreAskedFor() throws IOException {
        End[] ends = connected();
        IbvWC[] none = {new IbvWC()};
        assertThat(ends[0].queue.poll(none, -1).execute().getPolls()).isZero();
        assertThatThrownBy(() -> ends[0].queue.poll(new IbvWC[1], 1)).isInstanceOf(NullPointerException.class);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldGiveAConnectionUp_whenItsDeviceCannotBeLookedAt() throws IOException {
        IbvContext before = listener.getVerbs();
        fake.tell(FakeLibrary.GONE, 0);
        until(() -> ((RnicContext) before).isGone());
        fake.deviceErrno = FakeLibrary.EBUSY;
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.resolveAddr(id, null, THERE, 1000);
        assertThat(event(EventType.RDMA_CM_EVENT_ADDR_ERROR).getConnIdPriv()).isSameAs(id);
        assertThat(event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv()).isSameAs(id);
        cm.destroyCmId(id);
    }

    /** C may have closed it: whatever reached its memory would end the process. */
    @Test
    void shouldLeaveTheDeviceAlone_whenItWasTakenAway() throws IOException {
        End[] ends = connected();
        IbvContext before = listener.getVerbs();
        IbvWC[] found = {new IbvWC()};
        SVCPollCq poll = ends[0].queue.poll(found, 1);
        IbvSendWR write = ends[0].work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, ends[0].element(0, 8));
        fake.tell(FakeLibrary.GONE, 0);
        until(() -> ((RnicContext) before).isGone());

        assertThatThrownBy(() -> ends[0].post(write)).hasMessage("the device of the queue pair was taken away");
        assertThatThrownBy(() -> ends[0].receive(1, 0, 8)).hasMessage("the device of the queue pair was taken away");
        assertThatThrownBy(poll::execute).hasMessage("the device of the completion queue was taken away");
        assertThatThrownBy(() -> ends[0].queue.reqNotification(false).execute())
                .hasMessage("the device of the completion queue was taken away");
        assertThatThrownBy(() -> ends[0].notices.getCqEvent(ends[0].queue, 0))
                .hasMessage("the device of the completion channel was taken away");
        assertThat(ends[0].pair.getState()).isEqualTo(IbvQP.IBV_QPS_ERR);
        assertThatThrownBy(
                        () -> ends[0].domain.regMr(ends[0].buffer, ALL_RIGHTS).execute())
                .hasMessage("the device of the protection domain was taken away");
        assertThatThrownBy(before::allocPd).hasMessageEndingWith(" was taken away");
        assertThatThrownBy(before::createCompChannel).hasMessageEndingWith(" was taken away");
        assertThatThrownBy(() -> before.createCQ(ends[0].notices, 4, 0)).hasMessageEndingWith(" was taken away");
        fake.calls().clear();
        ends[0].end();
        ends[1].end();
        assertThat(fake.calls())
                .doesNotContain("ibv_dereg_mr", "ibv_destroy_cq", "ibv_destroy_comp_channel", "ibv_dealloc_pd");
        fake.closeDevice(((RnicEventChannel) channel).address);
    }

    @Test
    void shouldRefuse_whenAQueuePairIsAskedForThatCannotBe() throws IOException {
        End[] ends = connected();
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        assertThatThrownBy(() -> ends[0].id.createQP(ends[0].domain, attributes))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a queue pair without a completion queue for its send queue");
        attributes.setSend_cq(ends[0].queue);
        attributes.setRecv_cq(ends[0].queue);
        attributes.cap().setMax_send_wr(-7);
        assertThatThrownBy(() -> ends[0].id.createQP(ends[0].domain, attributes))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a queue pair with -7 and 0 work requests");
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldRefuse_whenSomethingWasDestroyed() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        SVCPostSend call = from.pair.postSend(
                List.of(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8))), null);
        from.end();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("the queue pair was destroyed");
        assertThatThrownBy(() -> from.completions())
                .isInstanceOf(IOException.class)
                .hasMessage("the completion queue was destroyed");
        assertThatThrownBy(() -> from.notices.getCqEvent(from.queue, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("the completion channel was destroyed");
        assertThatThrownBy(() -> cm.resolveRoute(from.id, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("the identifier was destroyed");
        IbvContext device = ends[1].id.getVerbs();
        assertThatThrownBy(() -> device.createCQ(from.notices, 1, 0))
                .hasMessage("the completion channel was destroyed");
        IbvQPInitAttr attributes = work(ends[1], 0, 0);
        attributes.setRecv_cq(from.queue);
        assertThatThrownBy(() -> ends[1].id.createQP(ends[1].domain, attributes))
                .hasMessage("the completion queue was destroyed");
        assertThatThrownBy(() -> ends[1].id.createQP(from.domain, attributes))
                .hasMessage("the protection domain was destroyed");
        ends[1].end();
    }
}
