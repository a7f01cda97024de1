package dev.retier.load.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which statuses of complete answers count as good. Immutable, thread-safe.
 *
 * @param ranges at least one
 */
public record GoodStatuses(List<Range> ranges) {
    /** All below 400. */
    public static final GoodStatuses USUAL = new GoodStatuses(List.of(new Range(200, 399)));

    private static final Pattern RANGE = Pattern.compile("([1-5]\\d\\d)(?:-([1-5]\\d\\d))?");
    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    /** From {@code first} to {@code last}, both included. */
    public record Range(int first, int last) {
        private boolean contains(int status) {
            return status >= first && status <= last;
        }
    }

    /** Copies the list. */
    public GoodStatuses {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads statuses and ranges, as in {@code 200-299,304,404}.
     *
     * @throws IllegalArgumentException in one line when it has another form
     */
    public static GoodStatuses parse(String text) {
        List<Range> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher form = RANGE.matcher(part.strip());
            if (!form.matches()) {
                throw new IllegalArgumentException(
                        "'" + part.strip() + "' is no status; write statuses or ranges, as in 200-299,304");
            }
            int first = Integer.parseInt(form.group(1));
            int last = form.group(2) == null ? first : Integer.parseInt(form.group(2));
            if (last < first) {
                throw new IllegalArgumentException("statuses '" + part.strip() + "': the second is below the first");
            }
            ranges.add(new Range(first, last));
        }
        return new GoodStatuses(ranges);
    }

    /** Why a complete answer with {@code status} is a failure; null when it is none. */
    public @Nullable FailureKind failure(int status) {
        if (ranges.stream().anyMatch(range -> range.contains(status))) {
            return null;
        }
        if (status < FIRST_CLIENT_ERROR) {
            return FailureKind.STATUS_OTHER;
        }
        return status < FIRST_SERVER_ERROR ? FailureKind.STATUS_4XX : FailureKind.STATUS_5XX;
    }
}
