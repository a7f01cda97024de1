package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.iwarp.SoftIwarp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DiSNI's active endpoints: a thread of DiSNI's own takes completions, by notification or by polling. */
class ActiveGroupTest {
    private static final int BYTES = 64;

    private static final class Active extends RdmaActiveEndpoint {
        final LinkedBlockingQueue<Integer> completed = new LinkedBlockingQueue<>();
        private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);

        Active(RdmaActiveEndpointGroup<Active> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        protected synchronized void init() throws IOException {
            IbvRecvWR receive = new IbvRecvWR();
            receive.setSg_list(buffer());
            postRecv(List.of(receive)).execute().free();
        }

        @Override
        public void dispatchCqEvent(IbvWC completion) {
            completed.add(completion.getStatus());
        }

        void send() throws IOException {
            IbvSendWR work = new IbvSendWR();
            work.setOpcode(IbvSendWR.IBV_WR_SEND);
            work.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            work.setSg_list(buffer());
            postSend(List.of(work)).execute().free();
        }

        @SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI asks for a linked list
        private LinkedList<IbvSge> buffer() throws IOException {
            IbvMr region = registerMemory(memory).execute().free().getMr();
            IbvSge element = new IbvSge();
            element.setAddr(region.getAddr());
            element.setLength(BYTES);
            element.setLkey(region.getLkey());
            return new LinkedList<>(List.of(element));
        }
    }

    private static RdmaActiveEndpointGroup<Active> group(boolean polling) throws IOException {
        RdmaActiveEndpointGroup<Active> group = new RdmaActiveEndpointGroup<>(50, polling, 8, 4, 32);
        group.init((id, serverSide) -> new Active(group, id, serverSide));
        return group;
    }

    private static Active accept(RdmaServerEndpoint<Active> server) {
        try {
            return server.accept();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest(name = "polling {0}")
    @ValueSource(booleans = {false, true})
    void shouldDispatchCompletions_whenGroupIsActive(boolean polling) throws Exception {
        SoftIwarp.install();
        RdmaActiveEndpointGroup<Active> serverGroup = group(polling);
        RdmaServerEndpoint<Active> server = serverGroup.createServerEndpoint();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        CompletableFuture<Active> accepted = CompletableFuture.supplyAsync(() -> accept(server));
        RdmaActiveEndpointGroup<Active> clientGroup = group(polling);
        Active client = clientGroup.createEndpoint();
        client.connect(server.getSrcAddr(), 1000);
        Active other = accepted.get(10, TimeUnit.SECONDS);
        client.send();
        assertThat(client.completed.poll(10, TimeUnit.SECONDS)).as("the send").isZero();
        assertThat(other.completed.poll(10, TimeUnit.SECONDS)).as("the receive").isZero();
        client.close();
        clientGroup.close();
        other.close();
        serverGroup.close();
    }
}
