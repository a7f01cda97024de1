package dev.retier.iwarp.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.DeviceConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners and event channels that are destroyed while something waits for an event, or an event for somebody. */
@Timeout(60)
class UntakenEventsTest {
    private RawVerbs raw;
    private RdmaEventChannel channel;
    private RdmaCmId listener;
    private Device device;

    @BeforeEach
    void listen() throws IOException {
        SoftIwarp.install(DeviceConfig.defaults(), Devices.Scope.PROCESS);
        raw = new RawVerbs();
        channel = raw.cm.createEventChannel();
        listener = raw.cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(10);
        device = ((IwarpContext) listener.getVerbs()).device();
    }

    @AfterEach
    void close() throws IOException {
        if (listener.isOpen()) {
            listener.destroyId();
        }
        if (channel.isOpen()) {
            channel.destroyEventChannel();
        }
        raw.close();
    }

    private Socket ask() throws IOException {
        InetSocketAddress there = (InetSocketAddress) listener.getSource();
        Socket socket = new Socket(there.getAddress(), there.getPort());
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]));
        return socket;
    }

    private static StartupResult answer(Socket socket) throws IOException {
        MpaInitiator initiator = new MpaInitiator(StartupPolicy.standard(4, 4));
        initiator.request(new byte[0]);
        return initiator.receive(ByteBuffer.wrap(socket.getInputStream().readAllBytes()));
    }

    /** Another connection takes the loop several turns: by then it has seen what was sent before. */
    private void letTheLoopTurn() throws IOException {
        RawVerbs.Parts parts = new RawVerbs.Parts(raw.newQueue(null, 64), raw.newDomain(), false);
        raw.connect(parts, parts);
    }

    @Test
    void shouldRefuseTheRequest_whenItsListenerIsDestroyed() throws IOException {
        try (Socket socket = ask()) {
            letTheLoopTurn();
            int before = device.connections();
            listener.destroyId();
            assertThat(answer(socket)).isInstanceOf(StartupResult.Rejected.class);
            await().until(() -> device.connections() == before - 1);
            assertThat(channel.getCmEvent(0)).isNull();
        }
    }

    @Test
    void shouldRefuseTheRequest_whenItsChannelIsDestroyed() throws IOException {
        try (Socket socket = ask()) {
            letTheLoopTurn();
            int before = device.connections();
            channel.destroyEventChannel();
            assertThat(answer(socket)).isInstanceOf(StartupResult.Rejected.class);
            await().until(() -> device.connections() == before - 1);
        }
        try (Socket later = ask()) {
            assertThat(answer(later)).as("nobody can take it").isInstanceOf(StartupResult.Rejected.class);
        }
    }

    /** As with librdmacm: whoever has it may take his time. */
    @Test
    void shouldLeaveTheRequestToTheProgram_whenItWasTakenBefore() throws IOException {
        try (Socket socket = ask()) {
            RdmaCmEvent event = Objects.requireNonNull(channel.getCmEvent(10_000));
            listener.destroyId();
            IwarpCmId request = (IwarpCmId) event.getConnIdPriv();
            assertThat(request.requireRequest().isDecided()).isFalse();
            request.reject(new byte[0]);
            assertThat(answer(socket)).isInstanceOf(StartupResult.Rejected.class);
        }
    }

    @Test
    void shouldSaySo_whenTheChannelIsDestroyedWhileSomebodyWaits() throws Exception {
        FutureTask<RdmaCmEvent> waiting = new FutureTask<>(() -> channel.getCmEvent(-1));
        Thread waiter = Thread.ofPlatform().daemon().start(waiting);
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        channel.destroyEventChannel();
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .rootCause()
                .isInstanceOf(IOException.class)
                .hasMessage("the event channel was destroyed");
        assertThatThrownBy(() -> channel.getCmEvent(0)).hasMessage("the event channel was destroyed");
    }
}
