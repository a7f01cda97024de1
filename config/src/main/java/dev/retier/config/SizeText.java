package dev.retier.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as an operator writes them: a whole number and a unit of 1024, such as {@code 64m}. */
public final class SizeText {
    /** How to write one, for messages. */
    public static final String REMEDY = "write a whole number of bytes, or one with unit k, m, g or t, such as 64m";

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})([kmgt]?)");
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;

    private SizeText() {}

    /** The bytes that {@code text} says, or nothing when it has another form or says too many. */
    public static Optional<Long> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long count = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        int bits = unit.isEmpty() ? 0 : UNIT_BITS * (UNITS.indexOf(unit) + 1);
        return count > Long.MAX_VALUE >> bits ? Optional.empty() : Optional.of(count << bits);
    }

    /** The shortest exact text. */
    public static String print(long bytes) {
        for (int unit = UNITS.length(); unit > 0; unit--) {
            int bits = unit * UNIT_BITS;
            if (bytes != 0 && (bytes & (1L << bits) - 1) == 0) {
                return (bytes >> bits) + UNITS.substring(unit - 1, unit);
            }
        }
        return Long.toString(bytes);
    }
}
