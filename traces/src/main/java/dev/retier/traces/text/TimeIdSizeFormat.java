package dev.retier.traces.text;

import dev.retier.traces.ClassRule;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of {@code time id size [more]} separated by spaces or tabs, as cache simulators use them. Time is in seconds,
 * with or without fraction; id is any word; the requests are synthetic. Lines starting with '#' are comments.
 * Stateless.
 */
public final class TimeIdSizeFormat implements LineFormat {
    private static final Pattern LINE =
            Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,9})\\d*)?[ \\t]+(\\S+)[ \\t]+(\\d{1,18})(?:[ \\t].*)?");
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final LogMapping mapping;

    /** Classes by {@code rule}. */
    public TimeIdSizeFormat(ClassRule rule) {
        this.mapping = new LogMapping(rule, true);
    }

    @Override
    public LineResult parse(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return new LineResult.Nothing();
        }
        Matcher fields = LINE.matcher(line.strip());
        if (!fields.matches()) {
            return new LineResult.Bad("is not: time id size");
        }
        try {
            LogMapping.LoggedUrl url = new LogMapping.LoggedUrl(RequestMethod.GET, fields.group(3));
            TraceEvent request = mapping.request("", url, Long.parseLong(fields.group(4)), false);
            return new LineResult.Request(timeNanos(fields.group(1), fields.group(2)), request);
        } catch (IllegalArgumentException e) {
            return new LineResult.Bad(String.valueOf(e.getMessage()));
        }
    }

    private static long timeNanos(String seconds, @Nullable String fraction) {
        String nanos = fraction == null ? "0" : (fraction + "00000000").substring(0, 9);
        return Long.parseLong(seconds) * NANOS_PER_SECOND + Long.parseLong(nanos);
    }
}
