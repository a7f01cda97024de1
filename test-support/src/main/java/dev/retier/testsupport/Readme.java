package dev.retier.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Commands that README.md prints, for tests that paste them into a shell. Stateless. */
public final class Readme {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```$");

    private Readme() {}

    /**
     * The blocks of commands below a heading, in order; empty if there are none.
     *
     * @param root the folder of the file
     * @param heading of the second level, without its signs
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if there is no such heading
     */
    public static List<String> commands(Path root, String heading) throws IOException {
        String text = Files.readString(root.resolve("README.md"));
        int start = text.indexOf("\n## " + heading + "\n");
        if (start < 0) {
            throw new IllegalArgumentException("README.md has no heading ## " + heading);
        }
        int end = text.indexOf("\n## ", start + 1);
        return BLOCK.matcher(text.substring(start, end < 0 ? text.length() : end))
                .results()
                .map(block -> block.group(1))
                .toList();
    }
}
