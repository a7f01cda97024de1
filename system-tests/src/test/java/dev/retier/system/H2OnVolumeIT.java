package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.channel.VolumeFile;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A database that is written for {@link java.nio.channels.FileChannel}, on a volume whose server is killed meanwhile.
 * H2 forces its file when it is closed: so what is proven here is that what was answered outlives
 * the server's process. That a commit outlives the power of the server's machine H2 does not ask for, and as long as
 * this client lives it has that all the same.
 */
@Timeout(300)
class H2OnVolumeIT extends VolumeProcesses {
    private static final H2Bank BANK = H2Bank.onVolume("accounts", 1000);
    private static final VolumeName NAME = new VolumeName("accounts");
    private static final int CLIENTS = 3;

    private VolumeClient client() {
        SecretSource secrets = SecretSource.fromFile(folder().resolve("secret"));
        return VolumeClient.open(ClientConfig.of(address(), secrets, Transport.IWARP));
    }

    @Test
    void shouldLoseNoTransaction_whenTheServerIsKilledMeanwhile() throws Exception {
        serve();
        AtomicInteger committed = new AtomicInteger();
        try (VolumeClient client = client()) {
            client.create(NAME, 256 << 20);
            try (RemoteVolume volume = client.attach(NAME, false)) {
                VolumeFilePath.put("accounts.mv.db", VolumeFile.on(volume));
                try (Connection _ = DriverManager.getConnection(BANK.url())) {
                    BANK.make();
                    killWhile(committed);
                }
            }
        }
        try (VolumeClient other = client();
                RemoteVolume volume = other.attach(NAME, false)) {
            VolumeFilePath.put("accounts.mv.db", VolumeFile.on(volume));
            try (Connection database = DriverManager.getConnection(BANK.url());
                    Statement sql = database.createStatement()) {
                long history = one(sql, "select sum(delta) from history");
                assertThat(one(sql, "select sum(balance) from accounts")).isEqualTo(history);
                assertThat(one(sql, "select sum(balance) from tellers")).isEqualTo(history);
                assertThat(one(sql, "select sum(balance) from branches")).isEqualTo(history);
                assertThat(one(sql, "select count(*) from history")).isEqualTo(committed.get());
            }
        } finally {
            VolumeFilePath.remove("accounts.mv.db");
        }
    }

    /** Clients go on until the server was killed and has served them again, so many times. */
    private void killWhile(AtomicInteger committed) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int number = 0; number < CLIENTS; number++) {
                Random random = new Random(number);
                ends.add(threads.submit(() -> {
                    BANK.transact(random, isOver, committed);
                    return true;
                }));
            }
            try {
                for (int kills = 0; kills < Repeats.of(3); kills++) {
                    awaitMore(committed, ends);
                    kill("server");
                    serve();
                    awaitMore(committed, ends);
                }
            } finally {
                isOver.set(true);
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private void awaitMore(AtomicInteger committed, List<Future<?>> ends) {
        int before = committed.get();
        await().atMost(Duration.ofMinutes(1))
                .failFast(() -> ends.stream().anyMatch(Future::isDone))
                .until(() -> committed.get() > before + 200);
    }

    private static long one(Statement sql, String query) throws SQLException {
        try (ResultSet result = sql.executeQuery(query)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
