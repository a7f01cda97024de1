package dev.retier.cli.trace.options;

import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.file.TraceInput;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** Files by name or by a pattern for the last part of their path. Stateless. */
public final class TracePaths {
    private TracePaths() {}

    /**
     * The files that {@code names} stand for: those of each pattern, and names as a whole, in natural order.
     *
     * @throws IllegalArgumentException when a pattern fits no file
     */
    public static List<Path> of(List<String> names) {
        List<Path> all = new ArrayList<>();
        for (String name : names) {
            Path path = Path.of(name);
            boolean pattern = name.matches(".*[*?{\\[].*") && !Files.exists(path);
            if (pattern) {
                all.addAll(matching(path));
            } else {
                all.add(path);
            }
        }
        return all.contains(TraceInput.STANDARD_INPUT) ? List.copyOf(all) : TraceFiles.inNaturalOrder(all);
    }

    private static List<Path> matching(Path pattern) {
        Path parent = pattern.getParent();
        Path folder = parent == null ? Path.of("") : parent;
        try {
            PathMatcher matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern.getFileName());
            List<Path> found = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    if (matcher.matches(file.getFileName()) && Files.isRegularFile(file)) {
                        found.add(file);
                    }
                }
            }
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no file fits " + pattern + "; only its last part may be a pattern");
            }
            return found;
        } catch (IOException | PatternSyntaxException e) {
            throw new IllegalArgumentException("no file fits " + pattern + " (" + e.getMessage() + ")", e);
        }
    }
}
