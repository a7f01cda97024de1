package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What librdmacm tells of a connection, and waiting for it. */
@SuppressWarnings("EnumOrdinal") // DiSNI's events have C's order
@Timeout(20)
class ConnectionEventsTest extends TwoEnds {
    private void happen(RdmaCmId id, EventType type) {
        fake.happen(((RnicCmId) id).address(), type.ordinal());
    }

    /** DiSNI's endpoints wait for a disconnect, and would wait for ever. */
    @ParameterizedTest
    @EnumSource(
            value = EventType.class,
            names = {
                "RDMA_CM_EVENT_ADDR_ERROR",
                "RDMA_CM_EVENT_ROUTE_ERROR",
                "RDMA_CM_EVENT_CONNECT_ERROR",
                "RDMA_CM_EVENT_UNREACHABLE",
                "RDMA_CM_EVENT_REJECTED"
            })
    void shouldSayDisconnectedAfterIt_whenThereWillBeNoConnection(EventType type) throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        happen(id, type);
        assertThat(event(type).getConnIdPriv()).isSameAs(id);
        RdmaCmEvent next = event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(next.getConnIdPriv()).isSameAs(id);
        assertThat(next.getStatus()).isZero();
        assertThat(channel.getCmEvent(0)).isNull();
        cm.destroyCmId(id);
    }

    @ParameterizedTest
    @EnumSource(
            value = EventType.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "RDMA_CM_EVENT_CONNECT_REQUEST",
                "RDMA_CM_EVENT_ADDR_ERROR",
                "RDMA_CM_EVENT_ROUTE_ERROR",
                "RDMA_CM_EVENT_CONNECT_ERROR",
                "RDMA_CM_EVENT_UNREACHABLE",
                "RDMA_CM_EVENT_REJECTED"
            })
    void shouldTellItAlone_whenItIsNoFailure(EventType type) throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        happen(id, type);
        assertThat(event(type).getConnIdPriv()).isSameAs(id);
        assertThat(channel.getCmEvent(0)).isNull();
        cm.destroyCmId(id);
    }

    /** A reason of the peer's is positive, an errno negative. */
    @Test
    void shouldTellTheStatus_whenThereIsOne() throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        fake.eventStatus = 8;
        happen(id, EventType.RDMA_CM_EVENT_REJECTED);
        RdmaCmEvent rejected = event(EventType.RDMA_CM_EVENT_REJECTED);
        assertThat(rejected.getStatus()).isEqualTo(8);
        assertThat(rejected).hasToString("RDMA_CM_EVENT_REJECTED: status 8");
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        fake.eventStatus = -110;
        happen(id, EventType.RDMA_CM_EVENT_UNREACHABLE);
        assertThat(event(EventType.RDMA_CM_EVENT_UNREACHABLE).getStatus()).isEqualTo(-110);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        cm.destroyCmId(id);
    }

    @Test
    void shouldWaitForAnEvent_whenTheTimeIsNegative()
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        Callable<RdmaCmEvent> next = () -> channel.getCmEvent(-1);
        FutureTask<RdmaCmEvent> waiting = new FutureTask<>(next);
        Thread.ofPlatform().daemon().start(waiting);
        until(() -> fake.readsOfNone.get() > 1 || waiting.isDone());
        assertThat(waiting).as("it looks again").isNotDone();
        happen(id, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        RdmaCmEvent found = waiting.get(10, TimeUnit.SECONDS);
        assertThat(found).isNotNull();
        assertThat(found.getConnIdPriv()).isSameAs(id);
        cm.destroyCmId(id);
    }

    @Test
    void shouldGiveNone_whenNoneComesInTime() throws IOException {
        long beganNanos = System.nanoTime();
        assertThat(channel.getCmEvent(250)).isNull();
        assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    }
}
