package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.apply.AtomicFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedCopyTest {
    @TempDir
    private Path folder = Path.of("");

    private Path staged = Path.of("");

    @BeforeEach
    void nameFile() {
        staged = folder.resolve(".retier.conf.staged");
    }

    @Test
    void shouldTakeItsOwnAway_whenClosed() throws IOException {
        try (StagedCopy _ = new StagedCopy(staged, "examined")) {
            assertThat(staged).hasContent("examined");
        }
        assertThat(staged).doesNotExist();
        try (StagedCopy copy = new StagedCopy(staged, "examined")) {
            Files.delete(staged);
            assertThat(copy.isOwn()).isFalse();
        }
    }

    @Test
    void shouldLeaveTheAgentsAlone_whenThatWasPutInItsPlace() throws IOException {
        try (StagedCopy copy = new StagedCopy(staged, "examined")) {
            assertThat(copy.isOwn()).isTrue();
            AtomicFile.write(staged, "of a move", folder.resolve("none"));
            assertThat(copy.isOwn()).isFalse();
        }
        assertThat(staged).hasContent("of a move");
    }

    @Test
    void shouldNotBeMade_whenAnAgentHasAFileChecked() throws IOException {
        Files.writeString(staged, "of a move");
        assertThatThrownBy(() -> new StagedCopy(staged, "examined").close())
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(staged).hasContent("of a move");
    }
}
