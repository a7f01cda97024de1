package dev.retier.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Asks git about a checkout. Stateless. */
public final class Git {
    private Git() {}

    /**
     * What {@code git arguments...} says in {@code folder}, line by line.
     *
     * @throws IOException when git cannot be run or fails, with what it said
     */
    public static List<String> lines(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        git.getOutputStream().close();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (git.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said.strip());
            }
        } catch (InterruptedException e) {
            git.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return said.lines().toList();
    }

    /**
     * The commit that {@code name} stands for, ten hexadecimal digits of it.
     *
     * @throws IOException when there is none
     */
    public static String commit(Path folder, String name) throws IOException {
        return lines(folder, "rev-parse", "--short=10", "--verify", name + "^{commit}")
                .getFirst();
    }
}
