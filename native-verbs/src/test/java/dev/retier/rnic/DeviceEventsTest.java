package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device tells of queues and queue pairs. It is heard in the order in which it is told. */
class DeviceEventsTest extends TwoEnds {
    private static final int CQ_ERR = 0;
    private static final int QP_FATAL = 1;
    private static final int DEVICE_FATAL = 8;

    private long pair(End end) throws IOException {
        return fake.pair(end.pair.getQp_num());
    }

    private RdmaCmId disconnected() throws IOException {
        return event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldEndTheConnection_whenItsQueuePairFailed(int type) throws IOException {
        End[] ends = connected();
        fake.tell(type, pair(ends[1]));
        assertThat(disconnected()).isSameAs(ends[1].id);
        assertThat(channel.getCmEvent(0)).isNull();
        ends[0].end();
        ends[1].end();
    }

    /** That data came before the connection, that a port has another address, and the like. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 9, 10, 11, 12})
    void shouldLeaveTheConnection_whenTheEventIsNoError(int type) throws IOException {
        End[] ends = connected();
        fake.tell(type, pair(ends[1]));
        fake.tell(QP_FATAL, pair(ends[0]));
        assertThat(disconnected()).as("of the second event").isSameAs(ends[0].id);
        assertThat(channel.getCmEvent(0)).isNull();
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldEndTheConnection_whenEitherOfItsTwoQueuesOverran() throws IOException {
        End[] ends = connected(true);
        fake.tell(CQ_ERR, fake.receives(ends[1].pair.getQp_num()));
        assertThat(disconnected()).isSameAs(ends[1].id);
        fake.tell(CQ_ERR, fake.sends(ends[0].pair.getQp_num()));
        assertThat(disconnected()).isSameAs(ends[0].id);
        assertThat(channel.getCmEvent(0)).isNull();
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldGoOnListening_whenASignalComes() throws IOException {
        End[] ends = connected();
        fake.tell(FakeLibrary.INTERRUPTED, 0);
        fake.tell(QP_FATAL, pair(ends[1]));
        assertThat(disconnected()).isSameAs(ends[1].id);
        assertThat(((RnicContext) ends[0].id.getVerbs()).isGone()).isFalse();
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldTellTheOtherEndOnly_whenOnePairWasDestroyedBefore() throws IOException {
        End[] ends = connected();
        ends[0].id.destroyQP();
        fake.tell(DEVICE_FATAL, 0);
        fake.tell(QP_FATAL, pair(ends[1]));
        assertThat(disconnected()).isSameAs(ends[1].id);
        assertThat(disconnected()).as("of the second event").isSameAs(ends[1].id);
        assertThat(channel.getCmEvent(0)).isNull();
        ends[0].end();
        ends[1].end();
    }
}
