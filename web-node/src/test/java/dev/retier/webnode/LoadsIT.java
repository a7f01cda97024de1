package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.balance.LoadsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that sends by the loads in the file of its agent. */
class LoadsIT {
    private static final int REQUESTS = 40;

    private Loopback loopback;
    private Path file;
    private long number;

    @BeforeEach
    void open(@TempDir Path folder) {
        loopback = new Loopback(folder);
        loopback.start("proxy");
        loopback.start("a");
        loopback.start("b");
        loopback.makeProxy("proxy", 2, "a", "b");
        await().until(() -> loopback.node("proxy").status().appliedEpoch() == 2);
        file = folder.resolve("proxy.json.loads");
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    @Test
    void shouldSendNothingToAnAppThatOthersKeepBusy_untilTheFileIsStale() throws IOException {
        await().until(() -> {
            tell(Duration.ofMinutes(1), 0, 500); // the first may be left from an agent that is gone
            return isByLoads();
        });
        assertThat(answeredBy("a")).isEqualTo(REQUESTS);

        loopback.makeProxy("proxy", 3, "b", "a");
        await().until(() -> loopback.node("proxy").status().appliedEpoch() == 3);
        assertThat(answeredBy("a")).as("under another role file, too").isEqualTo(REQUESTS);

        tell(Duration.ofMillis(50), 500, 0);
        await().until(() -> !isByLoads());
        assertThat(answeredBy("a")).as("by chance").isBetween(1, REQUESTS - 1);
        assertThat(loopback.admin("proxy", "/metrics").body()).contains("retier_webnode_sends_by_loads 0.0");

        loopback.makeProxy("proxy", 4, "a", "b");
        await().until(() -> loopback.node("proxy").status().appliedEpoch() == 4);
        assertThat(isByLoads()).as("by what it knew before").isFalse();
    }

    private boolean isByLoads() {
        return loopback.node("proxy").status().sendsByLoads();
    }

    private void tell(Duration staleness, int heldByA, int heldByB) throws IOException {
        List<AppLoad> apps =
                List.of(new AppLoad("a", heldByA, 0.5, 100, 1000), new AppLoad("b", heldByB, 0.5, 100, 1000));
        number++;
        Files.write(
                file,
                LoadsPage.emit(new Loads(number, 200_000_000, staleness.toNanos(), apps))
                        .array());
    }

    private int answeredBy(String app) {
        int answered = 0;
        for (int request = 0; request < REQUESTS; request++) {
            String by = loopback.get("proxy", "/dynamic/x")
                    .headers()
                    .firstValue("X-Retier-App")
                    .orElse("");
            answered += by.equals(app) ? 1 : 0;
        }
        return answered;
    }
}
