package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is given for a connection reaches librdmacm, and the peer. */
class ConnectionParametersTest extends TwoEnds {
    private static final InetSocketAddress HERE = new InetSocketAddress("10.9.0.2", 4712);

    /** DiSNI's own do not let reads be set. */
    private static final class Reads extends RdmaConnParam {
        Reads(int responder, int initiator) {
            this.responder_resources = (byte) responder;
            this.initiator_depth = (byte) initiator;
        }
    }

    /** An answer of librdmacm's may have 196 bytes over InfiniBand; the length is one byte, which Java has signed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 56, 127, 128, 196, 255})
    void shouldCarryPrivateData_whateverItsLength(int bytes) throws IOException {
        String text = "0123456789abcdef".repeat(16).substring(0, bytes);
        RdmaCmId id = resolved();
        cm.connect(id, parameters(text));
        RdmaCmEvent asked = event(EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        assertThat(data(asked)).isEqualTo(text);
        cm.accept(asked.getConnIdPriv(), parameters(text));
        assertThat(data(event(EventType.RDMA_CM_EVENT_ESTABLISHED))).isEmpty();
        RdmaCmEvent accepted = event(EventType.RDMA_CM_EVENT_ESTABLISHED);
        assertThat(accepted.getConnIdPriv()).isSameAs(id);
        assertThat(data(accepted)).isEqualTo(text);
        cm.destroyCmId(id);
        cm.destroyCmId(asked.getConnIdPriv());
    }

    @Test
    void shouldAskForReadsOfEachKind_whenTheyAreGiven() throws IOException {
        RdmaCmId id = resolved();
        Reads asking = new Reads(3, 5);
        fill(asking, "hello");
        cm.connect(id, asking);
        RdmaCmId asked = event(EventType.RDMA_CM_EVENT_CONNECT_REQUEST).getConnIdPriv();
        Reads answering = new Reads(4, 0);
        fill(answering, "welcome");
        cm.accept(asked, answering);
        assertThat(fake.calls())
                .contains("connect, reads 3 5, flow 0, retries 5 6", "accept, reads 4 255, flow 0, retries 5 6");
        event(EventType.RDMA_CM_EVENT_ESTABLISHED);
        event(EventType.RDMA_CM_EVENT_ESTABLISHED);
        cm.destroyCmId(id);
        cm.destroyCmId(asked);
    }

    @Test
    void shouldAskForTheMost_whenNoneAreGiven() throws IOException {
        RdmaCmId id = resolved();
        cm.connect(id, null);
        RdmaCmEvent asked = event(EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        assertThat(data(asked)).isEmpty();
        assertThat(fake.calls()).contains("connect, reads 255 255, flow 0, retries 7 7");
        cm.destroyCmId(id);
        cm.destroyCmId(asked.getConnIdPriv());
    }

    @Test
    void shouldComeFromTheAddressGiven_whenThereIsOne() throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.resolveAddr(id, HERE, THERE, 1000);
        event(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        assertThat(id.getSource()).isEqualTo(HERE);
        assertThat(id.getDestination()).isEqualTo(THERE);
        assertThat(id.getPort_num()).isEqualTo((byte) 1);
        cm.destroyCmId(id);
    }

    @Test
    void shouldListenAsAsked_whenItIsBound() throws IOException {
        assertThat(listener.getPort_num()).isEqualTo((byte) 1);
        assertThat(fake.calls()).contains("listen, backlog 5");
    }
}
