package dev.retier.link.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What is worth a line of log although anybody can cause it: at most one line for each subject and hour, and {@value
 * #LINES_PER_MINUTE} lines a minute in all. Not thread-safe.
 */
public final class Complaints {
    /** Lines a minute in all. */
    public static final int LINES_PER_MINUTE = 8;

    /** Subjects remembered: more than an hour has lines for. The one told longest ago is forgotten for one more. */
    private static final int SUBJECTS = 61 * LINES_PER_MINUTE;

    private static final long SUBJECT_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Long> told = new LinkedHashMap<>();
    private final Deque<Long> lines = new ArrayDeque<>();

    /** Nothing told yet. */
    public Complaints() {}

    /** Whether to write a line about {@code subject} now. */
    public boolean tells(String subject, long nowNanos) {
        Long before = told.get(subject);
        if (before != null && nowNanos - before < SUBJECT_NANOS) {
            return false;
        }
        if (lines.size() == LINES_PER_MINUTE && nowNanos - lines.getFirst() < MINUTE_NANOS) {
            return false;
        }
        lines.addLast(nowNanos);
        if (lines.size() > LINES_PER_MINUTE) {
            lines.removeFirst();
        }
        told.remove(subject);
        told.put(subject, nowNanos);
        if (told.size() > SUBJECTS) {
            told.remove(told.keySet().iterator().next());
        }
        return true;
    }
}
