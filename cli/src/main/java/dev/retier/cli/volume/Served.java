package dev.retier.cli.volume;

import dev.retier.cli.TerminationSignal;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.gateway.NbdGateway;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A volume that this process has for its machine, before which there is NBD, until it is asked to end. */
final class Served {
    private final ServerOption server;
    private final VolumeName name;
    private final boolean isByForce;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    Served(ServerOption server, VolumeName name, boolean isByForce) {
        this.server = server;
        this.name = name;
        this.isByForce = isByForce;
    }

    /** What is done with it. */
    interface Use {
        /**
         * Returns when it is over, or {@code asked} to end.
         *
         * @param uri as NBD's programs take it
         */
        void of(RemoteVolume volume, String uri, CountDownLatch asked) throws IOException, InterruptedException;
    }

    /** Has it used; then all is brought to the server's disk, and the volume given back. */
    void serve(Path socket, Duration lostAfter, Use use) throws InterruptedException {
        TerminationSignal.onTermination(this::end);
        try {
            server.ask(Optional.of(lostAfter), ClusterServers.Wanted.existing(name), client -> {
                try (RemoteVolume volume = client.attach(name, isByForce);
                        NbdGateway _ = NbdGateway.listen(socket, Map.of(name, volume))) {
                    use.of(volume, "nbd+unix:///" + name + "?socket=" + socket.toAbsolutePath(), asked);
                }
                return name;
            });
        } finally {
            ended.countDown();
        }
    }

    private void end() {
        asked.countDown();
        try {
            ended.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
