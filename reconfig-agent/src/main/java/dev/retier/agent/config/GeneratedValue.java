package dev.retier.agent.config;

import java.util.regex.Pattern;

/**
 * What may be filled into a generated file: names, addresses and paths, and nothing that a server's configuration could
 * read as the end of a value. The parser refuses what would be refused when the file is made. Stateless.
 */
public final class GeneratedValue {
    /** What the parser says of a value that is none. */
    static final String REMEDY = "use letters, digits and . _ : / @ % + - alone";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@%+\\[\\]-]{0,2048}");

    private GeneratedValue() {}

    /** Whether the text may be filled in. */
    public static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches();
    }
}
