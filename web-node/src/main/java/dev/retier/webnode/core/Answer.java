package dev.retier.webnode.core;

import org.jspecify.annotations.Nullable;

/**
 * A complete answer held in memory. The body is shared, never changed.
 *
 * @param status HTTP status
 * @param contentType the Content-Type
 * @param entityTag the ETag with its quotes, or null
 * @param cacheControl the Cache-Control, or null
 * @param retryAfter the Retry-After in seconds, or null
 * @param body what the client gets
 */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose; answers are never compared
public record Answer(
        int status,
        String contentType,
        @Nullable String entityTag,
        @Nullable String cacheControl,
        @Nullable String retryAfter,
        byte[] body) {
    private static final int OK = 200;
    private static final String MAX_AGE = "max-age=";

    /**
     * How long a shared cache may keep it: its max-age, or 0 when it says none, forbids storing, or is no 200 (RFC
     * 9111 section 3; expressions we do not know are no permission).
     */
    public long freshSeconds() {
        if (status != OK || cacheControl == null || cacheControl.contains("no-") || cacheControl.contains("private")) {
            return 0;
        }
        for (String directive : cacheControl.split(",", -1)) {
            String trimmed = directive.strip();
            if (trimmed.startsWith(MAX_AGE)) {
                return seconds(trimmed.substring(MAX_AGE.length()));
            }
        }
        return 0;
    }

    private static long seconds(String text) {
        boolean isNumber =
                !text.isEmpty() && text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(text) : 0;
    }
}
