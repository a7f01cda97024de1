package dev.retier.agent.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.ReconfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalLockTest {
    @Test
    void shouldBeOfOneAgent_untilItIsClosed(@TempDir Path folder) {
        Path directory = folder.resolve("node-1");
        try (JournalLock _ = JournalLock.take(directory);
                JournalLock _ = JournalLock.take(folder.resolve("node-2"))) {
            assertThatThrownBy(() -> JournalLock.take(directory))
                    .isInstanceOf(ReconfigException.class)
                    .hasMessageContaining(directory + ": another agent of this node runs here");
        }
        JournalLock.take(directory).close();
    }

    @Test
    void shouldSayWhatToDo_whenTheFolderCannotBeUsed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a file where a folder belongs");
        assertThatThrownBy(() -> JournalLock.take(file))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("set journal-directory");
    }
}
