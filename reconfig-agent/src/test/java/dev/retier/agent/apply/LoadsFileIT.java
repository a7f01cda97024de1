package dev.retier.agent.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.balance.LoadsPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadsFileIT {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("role.json.loads");
    }

    private static Loads loads(long number) {
        return new Loads(number, 200_000_000, 1_000_000_000, List.of(new AppLoad("app-1", 3, 0.5, 100, 1000)));
    }

    private boolean has(Loads loads) {
        try {
            return Files.exists(file())
                    && LoadsPage.parse(ByteBuffer.wrap(Files.readAllBytes(file())))
                            .equals(new LoadsPage.Reading.Whole(loads));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldWriteInPlace_andMakeTheFileAnewWhenItIsNotThereOrShort() throws IOException {
        try (LoadsFile writer = new LoadsFile("node-1", folder.resolve("role.json"))) {
            Files.write(file(), new byte[10]);
            writer.offer(loads(1));
            await().until(() -> has(loads(1)));
            Object key = Files.readAttributes(file(), "fileKey").get("fileKey");
            writer.offer(loads(2));
            await().until(() -> has(loads(2)));
            assertThat(Files.readAttributes(file(), "fileKey").get("fileKey")).isEqualTo(key);
            Files.delete(file());
            writer.offer(loads(3));
            await().until(() -> has(loads(3)));
        }
    }

    @Test
    void shouldReplaceALink_notFollowIt() throws IOException {
        Path victim = Files.write(folder.resolve("victim"), new byte[LoadsPage.LENGTH_BYTES]);
        Files.createSymbolicLink(file(), victim);
        try (LoadsFile writer = new LoadsFile("node-1", folder.resolve("role.json"))) {
            writer.offer(loads(1));
            await().until(() -> has(loads(1)));
        }
        assertThat(Files.readAllBytes(victim)).containsOnly(0);
        assertThat(Files.isSymbolicLink(file())).isFalse();
    }
}
