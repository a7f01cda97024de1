package dev.retier.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as an operator writes them: a whole number and a unit, such as {@code 250ms}. */
public final class DurationText {
    /** How to write one, for messages. */
    public static final String REMEDY = "write a whole number with unit us, ms, s, m or h, such as 250ms";

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(us|ms|s|m|h)");

    private DurationText() {}

    /** The duration that {@code text} says, or nothing when it has another form. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(of(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    private static Duration of(long count, String unit) {
        return switch (unit) {
            case "us" -> Duration.ofNanos(count * 1_000);
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    /** The shortest exact text of a duration of whole microseconds. */
    public static String print(Duration duration) {
        if (duration.toNanos() % 1_000_000 != 0) {
            return duration.toNanos() / 1_000 + "us";
        }
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
