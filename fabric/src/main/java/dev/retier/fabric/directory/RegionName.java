package dev.retier.fabric.directory;

import java.util.regex.Pattern;

/**
 * What a region is called in its cell: 1 to {@value #MAX_LENGTH} letters, digits, dots, underlines, hyphens and
 * slashes of ASCII, beginning with a letter or digit. So a name needs no quoting in a log, a path or a command line.
 */
public record RegionName(String value) {
    /** Characters at most. */
    public static final int MAX_LENGTH = 64;

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0," + (MAX_LENGTH - 1) + "}");

    /** Refuses a bad name with {@link IllegalArgumentException}, which does not repeat the name. */
    public RegionName {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException("a region's name has 1 to " + MAX_LENGTH
                    + " letters, digits and characters of \"._-/\", and begins with a letter or digit");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
