package dev.retier.agent.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays of a file that is replaced, and what a stranger who may write in its folder can do. */
class AtomicFileTest {
    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        folder = Objects.requireNonNull(temporary);
        file = folder.resolve("role.conf");
    }

    @Test
    void shouldLeaveAStagedFileAlone_whenSomebodyHasItChecked() throws IOException {
        Path staged = Files.writeString(folder.resolve(".role.conf.staged"), "examined");
        AtomicFile.replace(file, "one");
        assertThat(file).hasContent("one");
        assertThat(staged).hasContent("examined");
    }

    @Test
    void shouldNotFollowALink_whenOneIsPlantedForTheNextFile() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "not the agent's");
        Files.createSymbolicLink(folder.resolve(".role.conf.new"), precious);
        AtomicFile.replace(file, "one");
        assertThat(precious).hasContent("not the agent's");
        assertThat(file).hasContent("one").isRegularFile();
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    @Test
    void shouldNotFollowALink_whenAFileIsStagedForTheChecker() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "not the agent's");
        Files.createSymbolicLink(file, precious);
        AtomicFile.write(file, "one", folder.resolve("none"));
        assertThat(precious).hasContent("not the agent's");
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    @Test
    void shouldKeepTheMode_whenReplaced() throws IOException {
        Files.writeString(file, "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r-x"));
        AtomicFile.replace(file, "new");
        assertThat(file).hasContent("new");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-rw-r-x"));
    }

    @Test
    void shouldKeepOwnerAndGroup_whenItMayGiveThem() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
        Files.writeString(file, "old");
        Files.setAttribute(file, "unix:uid", 4_711);
        Files.setAttribute(file, "unix:gid", 4_712);
        AtomicFile.replace(file, "new");
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(4_711);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(4_712);
    }

    @Test
    void shouldReplaceWhatALinkLeadsTo_whenTheFileIsALink() throws IOException {
        Path real = Files.createDirectory(folder.resolve("elsewhere")).resolve("real.conf");
        Files.writeString(real, "old");
        Files.createSymbolicLink(folder.resolve("middle"), Path.of("elsewhere/real.conf"));
        Files.createSymbolicLink(file, Path.of("middle"));
        AtomicFile.replace(file, "new");
        assertThat(Files.readSymbolicLink(file)).isEqualTo(Path.of("middle"));
        assertThat(real).hasContent("new");
        assertThat(Files.isSymbolicLink(real)).isFalse();
        try (Stream<Path> left = Files.list(real.getParent())) {
            assertThat(left).containsExactly(real);
        }
    }

    @Test
    void shouldRefuse_whenLinksLeadInACircle() throws IOException {
        Files.createSymbolicLink(file, file);
        assertThatThrownBy(() -> AtomicFile.replace(file, "new"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("40 symbolic links");
    }

    @Test
    void shouldGiveACopyTheModeOfItsOrigin() throws IOException {
        Files.writeString(file, "good");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path copy = folder.resolve(".role.conf.last-good");
        AtomicFile.copy(file, copy);
        assertThat(copy).hasContent("good");
        assertThat(Files.readAttributes(copy, PosixFileAttributes.class).permissions())
                .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }
}
