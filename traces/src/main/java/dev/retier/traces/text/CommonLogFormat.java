package dev.retier.traces.text;

import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Common and Combined Log Format: {@code host ident user [day/Mon/year:h:m:s offset] "request" status size ...}.
 *
 * <p>Tolerant as old logs need it: the request ends at the first quote that status and size follow, so quotes and
 * spaces
 * in a URL survive; one, two or three words make a request (no protocol, no method); size may be "-". Stateless.
 */
public final class CommonLogFormat implements LineFormat {
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Pattern TIME =
            Pattern.compile("(\\d{1,2})/(\\w{3})/(\\d{4}):(\\d{2}):(\\d{2}):(\\d{2})(?: ([+-])(\\d{2})(\\d{2}))?");

    /** Status and size after the request; what follows (referer, user agent) is not looked at. */
    private static final Pattern AFTER_REQUEST = Pattern.compile("\" (\\d{3}|-) (\\d{1,18}|-)(?= |$)");

    private static final Pattern PROTOCOL = Pattern.compile("HTTP/\\S*");
    private static final Pattern METHOD = Pattern.compile("[A-Z]+");
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The last year whose nanoseconds since 1970 fit a long. */
    private static final int LAST_YEAR = 2261;

    private final LogMapping mapping;

    /** Requests as {@code mapping} says. */
    public CommonLogFormat(LogMapping mapping) {
        this.mapping = mapping;
    }

    @Override
    public LineResult parse(String line) {
        if (line.isBlank()) {
            return new LineResult.Nothing();
        }
        try {
            return request(line);
        } catch (IllegalArgumentException | DateTimeException e) {
            return new LineResult.Bad(String.valueOf(e.getMessage()));
        }
    }

    private LineResult request(String line) {
        int open = line.indexOf('[');
        int close = line.indexOf(']', open + 1);
        int quote = line.indexOf('"', close + 1);
        if (open < 0 || close < 0 || quote < 0) {
            throw new IllegalArgumentException("no [time] \"request\"");
        }
        Matcher after = AFTER_REQUEST.matcher(line).region(quote + 1, line.length());
        if (!after.find()) {
            throw new IllegalArgumentException("no status and size after the request");
        }
        String client = line.substring(0, Math.max(0, line.indexOf(' ')));
        LogMapping.LoggedUrl url = url(line.substring(quote + 1, after.start()));
        long size = after.group(2).equals("-") ? TraceEvent.UNKNOWN_SIZE : Long.parseLong(after.group(2));
        TraceEvent request = mapping.request(client, url, size, after.group(1).equals("304"));
        return new LineResult.Request(timeNanos(line.substring(open + 1, close)), request);
    }

    private static LogMapping.LoggedUrl url(String request) {
        String rest = request.strip();
        if (rest.equals("-")) {
            return new LogMapping.LoggedUrl(RequestMethod.OTHER, rest); // the client said nothing in time (status 408)
        }
        int lastSpace = rest.lastIndexOf(' ');
        if (lastSpace >= 0 && PROTOCOL.matcher(rest.substring(lastSpace + 1)).matches()) {
            rest = rest.substring(0, lastSpace).stripTrailing();
        }
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("empty request");
        }
        int firstSpace = rest.indexOf(' ');
        String word = firstSpace < 0 ? "" : rest.substring(0, firstSpace);
        return METHOD.matcher(word).matches()
                ? new LogMapping.LoggedUrl(
                        method(word), rest.substring(firstSpace + 1).stripLeading())
                : new LogMapping.LoggedUrl(RequestMethod.GET, rest);
    }

    private static RequestMethod method(String word) {
        for (RequestMethod method : RequestMethod.values()) {
            if (method.name().equals(word)) {
                return method;
            }
        }
        return RequestMethod.OTHER;
    }

    private static long timeNanos(String text) {
        Matcher time = TIME.matcher(text);
        int month = time.matches() ? MONTHS.indexOf(time.group(2)) + 1 : 0;
        if (month == 0) {
            throw new IllegalArgumentException("time is not day/Mon/year:hh:mm:ss");
        }
        int year = Integer.parseInt(time.group(3));
        if (year > LAST_YEAR || year < 1900) {
            throw new IllegalArgumentException("year " + year + " is not within 1900.." + LAST_YEAR);
        }
        LocalDateTime local =
                LocalDateTime.of(year, month, number(time, 1), number(time, 4), number(time, 5), number(time, 6));
        return local.toEpochSecond(offset(time)) * NANOS_PER_SECOND;
    }

    private static ZoneOffset offset(Matcher time) {
        if (time.group(7) == null) {
            return ZoneOffset.UTC;
        }
        int sign = time.group(7).equals("-") ? -1 : 1;
        return ZoneOffset.ofHoursMinutes(sign * number(time, 8), sign * number(time, 9));
    }

    private static int number(Matcher time, int group) {
        return Integer.parseInt(time.group(group));
    }
}
