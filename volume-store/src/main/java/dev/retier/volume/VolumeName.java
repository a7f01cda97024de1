package dev.retier.volume;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a volume is called: one of {@code [a-z0-9][a-z0-9.-]{0,62}}, so that it can be a part of a host name, of a file
 * name and of an NBD export.
 */
public record VolumeName(String value) implements Comparable<VolumeName> {
    /** Of the longest name. */
    public static final int MAX_LENGTH = 63;

    private static final Pattern PATTERN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");

    /** Refuses what is no name with {@link IllegalArgumentException}. */
    public VolumeName {
        if (!PATTERN.matcher(value).matches()) {
            throw new IllegalArgumentException("\"" + value + "\" is no name of a volume: write 1 to " + MAX_LENGTH
                    + " of a-z, 0-9, '.' and '-', the first a letter or a digit");
        }
    }

    /** The name, if {@code text} is one. */
    public static Optional<VolumeName> parse(String text) {
        return PATTERN.matcher(text).matches() ? Optional.of(new VolumeName(text)) : Optional.empty();
    }

    @Override
    public int compareTo(VolumeName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
