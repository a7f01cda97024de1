package dev.retier.bench.iwarp;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.verbs.Devices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Two devices of this process, connected over the loopback interface. */
final class IwarpPair implements AutoCloseable {
    private static final int QUEUE = 256;

    private final Devices devices;
    final Side client;
    final Side server;
    private final RdmaPassiveEndpointGroup<Plain> clientGroup;
    private final RdmaPassiveEndpointGroup<Plain> serverGroup;

    private static final class Plain extends RdmaEndpoint {
        Plain(RdmaEndpointGroup<? extends RdmaEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }
    }

    IwarpPair(boolean crc, int memoryBytes) throws Exception {
        StartupPolicy standard = StartupPolicy.standard(64, 64);
        StartupPolicy policy = new StartupPolicy(2, crc, false, true, standard.rtr(), 64, 64, true);
        devices = new Devices(DeviceConfig.defaults().withStartup(policy), Devices.Scope.EVENT_CHANNEL);
        SoftIwarp.install(devices);
        serverGroup = group();
        RdmaServerEndpoint<Plain> listener = serverGroup.createServerEndpoint();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        CompletableFuture<Plain> accepted = CompletableFuture.supplyAsync(() -> accept(listener));
        clientGroup = group();
        Plain connecting = clientGroup.createEndpoint();
        connecting.connect(listener.getSrcAddr(), 5000);
        server = new Side(accepted.get(), memoryBytes);
        client = new Side(connecting, memoryBytes);
    }

    private static RdmaPassiveEndpointGroup<Plain> group() throws IOException {
        RdmaPassiveEndpointGroup<Plain> group = new RdmaPassiveEndpointGroup<>(200, QUEUE, 4, 2 * QUEUE);
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
            devices.close();
        }
    }
}
