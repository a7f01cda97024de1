package dev.retier.agent.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.ReconfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoleWriterTest {
    @Test
    void shouldBeOfOneAgent_untilItIsClosed(@TempDir Path folder) {
        Path directory = folder.resolve("node-1");
        try (SoleWriter _ = SoleWriter.ofJournal(directory);
                SoleWriter _ = SoleWriter.ofJournal(folder.resolve("node-2"))) {
            assertThatThrownBy(() -> SoleWriter.ofJournal(directory))
                    .isInstanceOf(ReconfigException.class)
                    .hasMessageContaining(directory + ": another agent of this node runs here");
        }
        SoleWriter.ofJournal(directory).close();
    }

    @Test
    void shouldSayWhatToDo_whenTheFolderCannotBeUsed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a file where a folder belongs");
        assertThatThrownBy(() -> SoleWriter.ofJournal(file))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("set journal-directory");
    }

    @Test
    void shouldRefuseASecondWriterOfOneFile_whicheverNameItHas(@TempDir Path folder) throws IOException {
        Path file = Files.createDirectories(folder.resolve("etc")).resolve("role.conf");
        Path link = Files.createSymbolicLink(folder.resolve("link.conf"), file);
        try (SoleWriter _ = SoleWriter.ofGenerated(file);
                SoleWriter _ = SoleWriter.ofGenerated(file.resolveSibling("other.conf"))) {
            assertThatThrownBy(() -> SoleWriter.ofGenerated(link))
                    .isInstanceOf(ReconfigException.class)
                    .hasMessageContaining(link + ": another agent or edge of this machine writes it");
        }
        SoleWriter.ofGenerated(link).close();
        assertThat(file.resolveSibling(".role.conf.lock")).exists();
    }

    @Test
    void shouldLeaveItToOthers_whenNothingCanBeWrittenThere(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a file where a folder belongs");
        SoleWriter.ofGenerated(file.resolve("role.conf")).close();
        assertThat(file).isRegularFile();
    }
}
