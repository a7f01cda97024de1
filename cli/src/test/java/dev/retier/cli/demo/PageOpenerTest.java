package dev.retier.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageOpenerTest {
    private static final URI PAGE = URI.create("http://127.0.0.1:18201");

    @TempDir
    private Path folder;

    private Path opened;

    @BeforeEach
    void install() throws IOException {
        opened = folder.resolve("opened");
        Path program = Files.writeString(folder.resolve("xdg-open"), "#!/bin/sh\necho \"$@\" >>" + opened + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldOpenThePageOnce_whereThereIsADisplay() {
        PageOpener opener = new PageOpener(Map.of("PATH", "/nowhere:" + folder, "WAYLAND_DISPLAY", "wayland-0"));

        assertThat(opener.open(PAGE)).isEqualTo("Opens the page of an agent: http://127.0.0.1:18201/");
        assertThat(opener.open(URI.create("http://127.0.0.1:2")))
                .as("it goes on by itself")
                .isEqualTo("The page of an agent: http://127.0.0.1:2/");

        Patience.await()
                .until(() -> Files.exists(opened) && !Files.readAllLines(opened).isEmpty());
        assertThat(opened).hasContent("http://127.0.0.1:18201/");
    }

    @Test
    void shouldOnlySayWhereItIs_whereItCannotBeOpened() {
        for (Map<String, String> environment : List.of(
                Map.of("PATH", folder.toString()),
                Map.of("PATH", folder.toString(), "DISPLAY", ""),
                Map.of("PATH", "/nowhere", "DISPLAY", ":0"),
                Map.of("DISPLAY", ":0"))) {
            assertThat(new PageOpener(environment).open(PAGE))
                    .isEqualTo("The page of an agent: http://127.0.0.1:18201/");
        }
        assertThat(opened).doesNotExist();
    }
}
