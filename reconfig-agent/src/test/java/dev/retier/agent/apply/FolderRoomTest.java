package dev.retier.agent.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.retier.agent.fixture.TinyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderRoomTest {
    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void nameFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    @Test
    void shouldFindNothing_whenThereIsRoomOrTheFolderIsStillToBeMade() {
        assertThat(FolderRoom.problem(folder)).isEmpty();
        assertThat(FolderRoom.problem(folder.resolve("later"))).isEmpty();
    }

    @Test
    void shouldNameTheFolder_whenItIsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(FolderRoom.problem(file)).contains(file + " is no folder");
        assertThat(FolderRoom.problemOf(file.resolve("role.json"))).contains(file + " is no folder");
    }

    @Test
    void shouldNameTheFolder_whenItMayNotBeWritten() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        assumeFalse(Files.isWritable(closed), "root may write everywhere");
        assertThat(FolderRoom.problem(closed))
                .hasValueSatisfying(text -> assertThat(text).contains("closed may not be written by this user"));
    }

    @Test
    void shouldLookWhereTheLinkLeads_whenTheDiskThereIsFull() throws IOException {
        try (TinyDisk disk = new TinyDisk(folder.resolve("disk"))) {
            Path link = Files.createSymbolicLink(folder.resolve("role.json"), folder.resolve("disk/role.json"));
            assertThat(FolderRoom.problemOf(link)).isEmpty();
            disk.fill();
            assertThat(FolderRoom.problemOf(link))
                    .contains(folder.resolve("disk") + ": 0 bytes left on its disk; free space");
        }
    }
}
