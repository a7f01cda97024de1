package dev.retier.cli.demo;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows a page in the user's browser, once; where there is no display, only says where it is. Used by one thread. */
final class PageOpener {
    private static final String PROGRAM = "xdg-open";

    private final Map<String, String> environment;
    private boolean isOpened;

    /** With the environment of a process: its display, and where its programs are. */
    PageOpener(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Opens it, unless one was opened before: an open page goes on by itself. What is to be told of that. */
    String open(URI page) {
        Optional<Path> program = program();
        if (isOpened || program.isEmpty() || !hasDisplay()) {
            return "The page of an agent: " + page + "/";
        }
        try {
            new ProcessBuilder(List.of(program.get().toString(), page + "/"))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            isOpened = true;
            return "Opens the page of an agent: " + page + "/";
        } catch (IOException e) {
            return "The page of an agent: " + page + "/ (" + PROGRAM + " could not be started: " + e.getMessage() + ")";
        }
    }

    private boolean hasDisplay() {
        return List.of("DISPLAY", "WAYLAND_DISPLAY").stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
    }

    private Optional<Path> program() {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve(PROGRAM))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
