package dev.retier.cli.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Who has something of a folder open, by what Linux tells of its processes (proc(5)). Stateless. */
final class FolderUsers {
    private static final Path PROCESSES = Path.of("/proc");

    private FolderUsers() {}

    /** For people: the name and number of each; those of which this user may not know are left out. */
    static List<String> of(Path folder) {
        return ProcessHandle.allProcesses()
                .map(process -> PROCESSES.resolve(String.valueOf(process.pid())))
                .filter(process -> uses(process, folder))
                .map(process -> name(process) + " (" + process.getFileName() + ")")
                .toList();
    }

    private static boolean uses(Path process, Path folder) {
        return Stream.concat(Stream.of("cwd", "root", "exe").map(process::resolve), open(process).stream())
                .anyMatch(link -> leadsTo(link, folder));
    }

    private static List<Path> open(Path process) {
        try (Stream<Path> all = Files.list(process.resolve("fd"))) {
            return all.toList();
        } catch (IOException ended) {
            return List.of();
        }
    }

    private static boolean leadsTo(Path link, Path folder) {
        try {
            return Files.readSymbolicLink(link).startsWith(folder);
        } catch (IOException ended) {
            return false;
        }
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException ended) {
            return "process";
        }
    }
}
