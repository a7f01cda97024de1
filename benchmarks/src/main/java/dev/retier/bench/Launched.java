package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the launcher tells a benchmark. Stateless. */
public final class Launched {
    private Launched() {}

    /** Top folder of the checkout. */
    public static Path root() {
        return Path.of(System.getProperty("retier.root", "."));
    }

    /** The script {@code retier}. */
    public static Path launcher() {
        return root().resolve("retier").toAbsolutePath();
    }

    /** A folder for files that a measurement needs, made if need be, under the build's own. */
    public static Path workFolder(String name) throws IOException {
        return Files.createDirectories(root().resolve("benchmarks/target").resolve(name))
                .toAbsolutePath();
    }

    /** The same, with nothing in it. */
    public static Path emptyWorkFolder(String name) throws IOException {
        Path folder = workFolder(name);
        try (Stream<Path> old = Files.walk(folder)) {
            for (Path file : old.filter(path -> !path.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                Files.delete(file);
            }
        }
        return folder;
    }

    /** A virtual machine with the options that {@code ./retier load} has, running {@code main} of this class path. */
    public static List<String> loadMachine(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                Arrays.stream(System.getProperty("retier.load-options", "").split(" ", -1))
                        .filter(option -> !option.isEmpty())
                        .toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
