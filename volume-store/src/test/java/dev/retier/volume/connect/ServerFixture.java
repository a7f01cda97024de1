package dev.retier.volume.connect;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with a cache of a MiB, and its clients, which wait for it for a minute. */
abstract class ServerFixture {
    static final VolumeName ACCOUNTS = new VolumeName("accounts");
    static final long BYTES = 8L << 20;
    static final Times TIMES = new Times(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(2));

    @TempDir
    Path folder = Path.of("");

    OneServer server;

    @BeforeEach
    final void make() throws IOException {
        server = new OneServer(folder.resolve("pool"), Limits.DEFAULT, TIMES, Care.LEAST, 1 << 20);
    }

    @AfterEach
    final void end() throws IOException {
        server.close();
    }

    final VolumeClient client() {
        return server.client(server.config());
    }

    final VolumeClient client(Optional<Duration> lostAfter) {
        return server.client(server.config().withLostAfter(lostAfter));
    }
}
