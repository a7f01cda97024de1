package dev.retier.bench.iwarp;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.verbs.Devices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Two devices, each with a progress thread of its own as on two machines, connected over the loopback interface. */
final class IwarpPair implements AutoCloseable {
    private static final int QUEUE = 512;
    private static final int TIMEOUT_MILLIS = 5000;
    /** How often DiSNI's event threads look whether they are to end, which closing a group waits for. */
    private static final int EVENT_MILLIS = 20;

    private final Devices serverDevices;
    private final Devices clientDevices;
    private final RdmaPassiveEndpointGroup<Plain> clientGroup;
    private final RdmaPassiveEndpointGroup<Plain> serverGroup;
    final Side client;
    final Side server;

    private static final class Plain extends RdmaEndpoint {
        Plain(RdmaEndpointGroup<? extends RdmaEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }
    }

    /**
     * A connection.
     *
     * @param crc whether both sides ask for CRCs
     * @param memoryBytes registered on each side
     */
    IwarpPair(boolean crc, Waiting waiting, int memoryBytes) throws Exception {
        serverDevices = devices(crc, waiting);
        serverGroup = group(serverDevices);
        RdmaServerEndpoint<Plain> listener = serverGroup.createServerEndpoint();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        CompletableFuture<Plain> accepted = CompletableFuture.supplyAsync(() -> accept(listener));
        clientDevices = devices(crc, waiting);
        clientGroup = group(clientDevices);
        Plain connecting = clientGroup.createEndpoint();
        connecting.connect(listener.getSrcAddr(), TIMEOUT_MILLIS);
        server = new Side(accepted.get(), memoryBytes, waiting);
        client = new Side(connecting, memoryBytes, waiting);
    }

    private static Devices devices(boolean crc, Waiting waiting) {
        StartupPolicy standard = DeviceConfig.defaults().startup();
        StartupPolicy policy = new StartupPolicy(
                2, crc, false, true, standard.rtr(), standard.ird(), standard.ord(), LargeFpdus.ALWAYS);
        DeviceConfig config = DeviceConfig.defaults().withStartup(policy);
        return new Devices(
                waiting == Waiting.SLEEP ? config.withCompletionSpin(Duration.ZERO) : config,
                Devices.Scope.EVENT_CHANNEL);
    }

    private static RdmaPassiveEndpointGroup<Plain> group(Devices devices) throws IOException {
        SoftIwarp.install(devices);
        RdmaPassiveEndpointGroup<Plain> group = new RdmaPassiveEndpointGroup<>(EVENT_MILLIS, QUEUE, 4, 2 * QUEUE);
        group.init((id, serverSide) -> new Plain(group, id, serverSide));
        return group;
    }

    private static Plain accept(RdmaServerEndpoint<Plain> listener) {
        try {
            return listener.accept();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            clientGroup.close();
            serverGroup.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while closing", e);
        } finally {
            clientDevices.close();
            serverDevices.close();
        }
    }
}
