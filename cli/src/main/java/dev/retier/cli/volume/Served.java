package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.TerminationSignal;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.gateway.NbdGateway;
import dev.retier.volume.gateway.SocketOwner;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A volume that this process has for its machine, before which there is NBD, until it is asked to end or loses it. */
final class Served {
    /** For so long it waits at its end for a server that is away. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(3);

    private final ServerOption server;
    private final VolumeName name;
    private final Attaching attaching;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicReference<@Nullable VolumeClient> client = new AtomicReference<>();

    /** Where NBD is. */
    record Socket(Path path, SocketOwner owner) {}

    /** How it is taken. */
    interface Attaching {
        RemoteVolume attach(VolumeClient client) throws IOException;
    }

    Served(ServerOption server, VolumeName name, Attaching attaching) {
        this.server = server;
        this.name = name;
        this.attaching = attaching;
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
    void serve(Socket socket, Optional<Duration> lostAfter, Use use) throws InterruptedException {
        TerminationSignal.endsCommand(this::end);
        server.ask(lostAfter, ClusterServers.Wanted.existing(name), asking -> {
            client.set(asking);
            if (asked.getCount() == 0) {
                asking.hurry(LAST_WAIT);
            }
            try (RemoteVolume volume = attached(asking);
                    NbdGateway _ = NbdGateway.listen(socket.path, socket.owner, Map.of(name, volume))) {
                CompletableFuture<VolumeException> lost = volume.lost().toCompletableFuture();
                var _ = lost.thenRun(asked::countDown);
                try {
                    use.of(volume, "nbd+unix:///" + name + "?socket=" + socket.path.toAbsolutePath(), asked);
                } finally {
                    requireStillOurs(lost); // else whatever failed failed for that
                }
            }
            return name;
        });
    }

    /** What somebody else has may be had later, so that a unit tries again; not so what was taken. */
    private RemoteVolume attached(VolumeClient asking) throws IOException {
        try {
            return attaching.attach(asking);
        } catch (VolumeException refused) {
            if (refused.status() == Status.HELD) {
                throw new CommandFailure(ExitCode.NO_LOCK, String.valueOf(refused.getMessage()), refused);
            }
            throw refused;
        }
    }

    private void requireStillOurs(CompletableFuture<VolumeException> lost) {
        if (lost.isDone()) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    name + " was taken from this machine (" + lost.join().getMessage()
                            + "); what programs wrote since is not kept");
        }
    }

    private void end() {
        asked.countDown();
        VolumeClient known = client.get();
        if (known != null) {
            known.hurry(LAST_WAIT);
        }
    }
}
