package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.ExternalTool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountNeedsTest {
    @TempDir
    private Path folder = Path.of("");

    private static void refuses(Path folder, String why) {
        assertThatThrownBy(() -> MountNeeds.requireFolder(folder)).hasMessageContaining(why);
    }

    @Test
    void shouldHideNothing() throws Exception {
        ExternalTool.find("findmnt");
        MountNeeds.requireFolder(folder);
        Path file = Files.createFile(folder.resolve("file"));
        refuses(folder, folder + " is not empty, and what is in it would be hidden; empty it, or name another folder");
        refuses(file, file + " is no folder; make it first");
        refuses(folder.resolve("none"), "none is no folder; make it first");
        refuses(Path.of("/proc"), "/proc has proc proc mounted on it; unmount that, or name another folder");
    }
}
