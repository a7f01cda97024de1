package dev.retier.bench.rpc;

import dev.retier.bench.CarrierOption;
import dev.retier.fabric.Call;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.FabricConfig;
import dev.retier.fabric.FabricLimits;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.Priority;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Two nodes of a fabric in one process, over software iWARP on the loopback interface. */
final class FabricPair implements AutoCloseable {
    private static final int ECHO = 1;
    private static final int PROMPT_ECHO = 2;
    private static final NodeId CLIENT = new NodeId(1);
    private static final NodeId SERVER = new NodeId(2);
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the benchmark");
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ReservedPorts ports = new ReservedPorts(2);
    private final Fabric client;
    private final Fabric server;

    FabricPair(CarrierOption carrier) throws Exception {
        Map<NodeId, InetSocketAddress> peers =
                Map.of(CLIENT, carrier.address(ports, 0), SERVER, carrier.address(ports, 1));
        client = open(CLIENT, peers, carrier.transport());
        server = open(SERVER, peers, carrier.transport());
        server.register(ECHO, request -> request.body());
        server.registerInline(PROMPT_ECHO, request -> request.body());
        long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
        while (client.link(SERVER).isEmpty() || server.link(CLIENT).isEmpty()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeoutException("the two nodes did not connect");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** By a function that runs where the call is found. */
    Echo promptEcho() {
        return body -> require(client.call(SERVER, PROMPT_ECHO, body, DEADLINE));
    }

    Echo echo() {
        return body -> require(begin(body, Priority.HIGH));
    }

    Call begin(byte[] body, Priority priority) {
        return client.call(SERVER, ECHO, body, DEADLINE, priority);
    }

    private static void require(Call call) throws InterruptedException {
        CallOutcome outcome = call.await();
        if (!(outcome instanceof CallOutcome.Answered)) {
            throw new IllegalStateException("no answer: " + outcome);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        ports.close();
    }

    private static Fabric open(NodeId self, Map<NodeId, InetSocketAddress> peers, Transport transport) {
        InetSocketAddress listen = Objects.requireNonNull(peers.get(self));
        return Fabric.open(new FabricConfig(
                self,
                listen,
                peers,
                SecretSource.of(Secrets.only(SECRET)),
                transport,
                FabricLimits.defaults(),
                true,
                Optional.empty()));
    }
}
