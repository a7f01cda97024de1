package dev.retier.fabric.directory;

/**
 * What a region is called in its cell: 1 to {@value #MAX_LENGTH} letters, digits, dots, underlines, hyphens and
 * slashes of ASCII, beginning with a letter or digit. So a name needs no quoting in a log, a path or a command line.
 */
public record RegionName(String value) implements Comparable<RegionName> {
    /** Characters at most. */
    public static final int MAX_LENGTH = 64;

    /** Refuses a bad name with {@link IllegalArgumentException}, which does not repeat the name. */
    public RegionName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("a region's name has 1 to " + MAX_LENGTH
                    + " letters, digits and characters of \"._-/\", and begins with a letter or digit");
        }
    }

    /** Whether {@code value} may be a region's name. */
    public static boolean isValid(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH || !isAlphanumeric(value.charAt(0))) {
            return false;
        }
        return value.chars().allMatch(c -> isAlphanumeric(c) || c == '.' || c == '_' || c == '-' || c == '/');
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    @Override
    public int compareTo(RegionName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
