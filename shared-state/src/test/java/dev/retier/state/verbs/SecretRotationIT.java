package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.LinkMetric;
import dev.retier.link.SecretSource;
import dev.retier.link.auth.Secrets;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SecretRotationIT {
    private static final String OLD = "the old secret of the loopback cell\n";
    private static final String NEW = "the new secret of the loopback cell\n";
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    private final Cell cell = new Cell(3, 3, DEADLINE);
    private final Map<Integer, SecretSource> sources = new HashMap<>();

    @AfterEach
    void close() {
        cell.close();
    }

    /** As `retier secret rotate` does. */
    private void write(int node, String secrets) throws IOException {
        Path staged = Files.writeString(folder.resolve("staged"), secrets);
        Files.setPosixFilePermissions(staged, PosixFilePermissions.fromString("rw-------"));
        Files.move(staged, secret(node), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path secret(int node) {
        return folder.resolve("secret-" + node);
    }

    private void open(int node) {
        SecretSource source = SecretSource.fromFile(secret(node));
        sources.put(node, source);
        cell.open(node, source).publish(Cell.LOAD);
    }

    private boolean haveTaken(String secrets) {
        return sources.values().stream().allMatch(source -> source.secrets().equals(Secrets.parse(secrets)));
    }

    private long refused(int node) {
        return Objects.requireNonNull(cell.at(node).metrics().get(LinkMetric.HANDSHAKES_REFUSED));
    }

    @Test
    void shouldFailNoLook_whenTheSecretIsReplacedUnderLoad() throws IOException, InterruptedException {
        for (int node = 1; node <= 3; node++) {
            write(node, OLD);
            open(node);
        }
        await().until(cell::allKnowAll);
        AtomicLong looks = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread looking = Thread.ofPlatform().start(() -> look(cell.at(1), looks, failed, over));
        try {
            for (String step : new String[] {OLD + NEW, NEW + OLD, NEW}) {
                write(3, step);
                restartThird();
                write(1, step);
                write(2, step);
                restartThird();
                await().until(() -> haveTaken(step));
                restartThird();
            }
            assertThat(refused(1) + refused(2))
                    .as("the third, started nine times")
                    .isZero();
            write(3, "another secret than that of the cell\n");
            cell.close(3);
            open(3);
            long seen = looks.get();
            await().until(() -> looks.get() > seen + 100);
        } finally {
            over.set(true);
            looking.join();
        }

        assertThat(cell.known(3)).as("who has neither secret sees itself alone").isEqualTo(1);
        assertThat(looks.get()).isGreaterThan(1_000);
        assertThat(failed).as("looks of node-1 at node-2, of %s", looks).hasValue(0);
    }

    /** It begins with what its file says, while the others may still have the file of the step before. */
    private void restartThird() {
        cell.close(3);
        open(3);
        await().until(() -> cell.known(1) == 3 && cell.known(3) == 3);
    }

    private static void look(SharedState state, AtomicLong looks, AtomicLong failed, AtomicBoolean over) {
        while (!over.get()) {
            Map<?, SlotReading> seen = state.look();
            looks.incrementAndGet();
            if (!(seen.get(Cell.node(2)) instanceof SlotReading.Known)) {
                failed.incrementAndGet();
            }
        }
    }
}
