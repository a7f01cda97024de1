package dev.retier.webnode.config;

import dev.retier.config.Fields;

/**
 * The synthetic static content of an app.
 *
 * @param defaultBytes length of a body when the request names none, 0..maxBytes
 * @param maxBytes most bytes that a request gets with {@code ?size=}, at most {@link #MAX_BODY_BYTES}
 * @param maxAgeSeconds how long a cache may keep an answer, 0 or more
 */
public record ContentSettings(int defaultBytes, int maxBytes, int maxAgeSeconds) {
    /** No web-node makes or forwards a longer body. */
    public static final int MAX_BODY_BYTES = 16 << 20;
    /** 4 KiB bodies, 1 MiB at most, kept for an hour. */
    public static final ContentSettings DEFAULTS = new ContentSettings(4_096, 1 << 20, 3_600);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is violated
     */
    public ContentSettings {
        if (maxBytes < 0 || maxBytes > MAX_BODY_BYTES || defaultBytes < 0 || defaultBytes > maxBytes) {
            throw new IllegalArgumentException("content sizes need 0 <= default <= max <= " + MAX_BODY_BYTES);
        }
        if (maxAgeSeconds < 0) {
            throw new IllegalArgumentException("max age must be 0 s or more: " + maxAgeSeconds);
        }
    }

    static ContentSettings parse(Fields fields) {
        int maxBytes = fields.integer("max-bytes", DEFAULTS.maxBytes, 0, MAX_BODY_BYTES);
        int byDefault = Math.min(DEFAULTS.defaultBytes, maxBytes);
        int defaultBytes = fields.integer("default-bytes", byDefault, 0, maxBytes);
        int maxAge = fields.integer("max-age-seconds", DEFAULTS.maxAgeSeconds, 0, Integer.MAX_VALUE);
        fields.finish();
        return new ContentSettings(Math.min(defaultBytes, maxBytes), maxBytes, maxAge);
    }
}
