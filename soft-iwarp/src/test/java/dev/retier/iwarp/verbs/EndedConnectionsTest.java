package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.verbs.RawVerbs.Connection;
import dev.retier.iwarp.verbs.RawVerbs.Memory;
import dev.retier.iwarp.verbs.RawVerbs.Parts;
import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that end leave nothing behind, however they end. */
class EndedConnectionsTest {
    private static final int TIMES = 200;
    /** Objects that a cache may keep: of the connection that came last, on either side. */
    private static final int KEPT = 4;

    private static final int COLLECTIONS = 100;

    private RawVerbs raw;
    private Device device;
    private IbvPd domain;
    private IbvCQ queue;
    private Memory memory;
    private long bytesBefore;
    private final List<WeakReference<Object>> ended = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        SoftIwarp.install(DeviceConfig.defaults(), Devices.Scope.PROCESS);
        raw = new RawVerbs();
        domain = raw.newDomain();
        device = ((IwarpContext) domain.getContext()).device();
        queue = raw.newQueue(null, 512);
        memory = raw.register(domain, 64, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE);
        bytesBefore = device.memoryBytes();
    }

    @AfterEach
    void close() throws IOException {
        raw.close();
    }

    private Parts parts() {
        return new Parts(queue, domain, false);
    }

    private void forget(RdmaCmId id) throws IOException {
        ended.add(new WeakReference<>(id));
        ended.add(new WeakReference<>(((IwarpQp) id.getQp()).pair()));
        raw.destroy(id);
        while (!raw.poll(queue).isEmpty()) {
            // flushed work
        }
    }

    private Connection connect() throws IOException {
        Connection pair = raw.connect(parts(), parts());
        raw.receive(pair.client(), 1, memory.at(0, 8));
        raw.receive(pair.server(), 2, memory.at(8, 8));
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, IbvSendWR.IBV_SEND_SIGNALED, memory.at(0, 8)));
        raw.await(queue, 2);
        return pair;
    }

    private void forget(Connection pair) throws IOException {
        raw.expectAtServer(EventType.RDMA_CM_EVENT_DISCONNECTED);
        raw.expectAtClient(EventType.RDMA_CM_EVENT_DISCONNECTED);
        forget(pair.client());
        forget(pair.server());
    }

    private void assertNothingIsLeft() {
        long live = ended.size();
        for (int i = 0; i < COLLECTIONS && live > KEPT; i++) {
            System.gc();
            live = ended.stream().filter(reference -> reference.get() != null).count();
        }
        assertThat(live)
                .as("objects of " + ended.size() + " that are still there")
                .isLessThanOrEqualTo(KEPT);
        Patience.await().until(() -> device.connections() == 0); // the last one's TCP may still be closing
        assertThat(device.regions().count()).isEqualTo(1);
        assertThat(device.memoryBytes()).isEqualTo(bytesBefore);
    }

    @Test
    void shouldLeaveNothing_whenConnectionsAreClosed() throws IOException {
        for (int i = 0; i < TIMES; i++) {
            Connection pair = connect();
            (i % 2 == 0 ? pair.client() : pair.server()).disconnect();
            forget(pair);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldLeaveNothing_whenConnectionsAreReset() throws IOException {
        byte[] request = new MpaInitiator(StartupPolicy.standard(4, 4).unenhanced()).request(new byte[0]);
        for (int i = 0; i < TIMES; i++) {
            InetSocketAddress to = (InetSocketAddress) raw.address();
            RdmaCmId server;
            try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
                socket.getOutputStream().write(request);
                server = raw.accept(parts());
                raw.receive(server, 1, memory.at(0, 8));
                socket.setSoLinger(true, 0);
            }
            raw.expectAtServer(EventType.RDMA_CM_EVENT_DISCONNECTED);
            forget(server);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldLeaveNothing_whenConnectionsEndInATerminate() throws IOException {
        for (int i = 0; i < TIMES; i++) {
            Connection pair = connect();
            IwarpSendWr wrong = RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, 0, memory.at(0, 8), memory.region());
            wrong.getRdma().setRkey(memory.region().getRkey() + 1);
            raw.post(pair.client(), wrong);
            forget(pair);
        }
        assertNothingIsLeft();
    }
}
