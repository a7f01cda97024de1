package dev.retier.traces;

import org.jspecify.annotations.Nullable;

/**
 * One request of a trace, whatever the trace came from.
 *
 * @param offsetNanos time since the first event of the trace in nanoseconds, never negative, never falling
 * @param clientId who asked: stable within the trace, from 0
 * @param target the request target in origin form, starting with '/', printable ASCII without spaces, ready for the
 *     wire (RFC 9112 section 3.2.1)
 * @param requestClass static or dynamic
 * @param sizeBytes length of the answer's body as the trace says, or {@link #UNKNOWN_SIZE}
 * @param method the request method
 * @param conditional whether the original answer was 304 Not Modified
 * @param segment number of the burst that the event belongs to, from 0; traces without bursts have only 0
 * @param body what the request carries; null: nothing
 */
public record TraceEvent(
        long offsetNanos,
        long clientId,
        String target,
        RequestClass requestClass,
        long sizeBytes,
        RequestMethod method,
        boolean conditional,
        int segment,
        @Nullable RequestBody body) {
    /** The trace does not say how long the answer was. */
    public static final long UNKNOWN_SIZE = -1;

    /** Checks the ranges. */
    public TraceEvent {
        if (offsetNanos < 0 || clientId < 0 || sizeBytes < UNKNOWN_SIZE || segment < 0) {
            throw new IllegalArgumentException("negative field in event for " + target);
        }
        if (!isWireSafe(target)) {
            throw new IllegalArgumentException("request target is not printable ASCII starting with '/'");
        }
    }

    /** Whether {@code target} can go into a request line as it is: nothing in it can end the line or split it. */
    public static boolean isWireSafe(String target) {
        // Without a branch for each character, as every event of every trace is looked at: negative when one is
        // outside.
        int outside = 0;
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            outside |= (c - '!') | ('~' - c);
        }
        return outside >= 0 && target.startsWith("/");
    }

    /** A plain GET, as the generators make them. */
    public static TraceEvent get(long offsetNanos, long clientId, SyntheticObject object, int segment) {
        return new TraceEvent(
                offsetNanos,
                clientId,
                object.target(),
                object.requestClass(),
                object.sizeBytes(),
                RequestMethod.GET,
                false,
                segment,
                null);
    }

    /** The same request at another time, in another segment. */
    public TraceEvent moved(long newOffsetNanos, int newSegment) {
        return new TraceEvent(
                newOffsetNanos, clientId, target, requestClass, sizeBytes, method, conditional, newSegment, body);
    }

    /** The same request by another client. */
    public TraceEvent ofClient(long newClientId) {
        return new TraceEvent(
                offsetNanos, newClientId, target, requestClass, sizeBytes, method, conditional, segment, body);
    }

    /** The same request by another method. */
    public TraceEvent withMethod(RequestMethod newMethod) {
        return new TraceEvent(
                offsetNanos, clientId, target, requestClass, sizeBytes, newMethod, conditional, segment, body);
    }

    /** The same request with a body. */
    public TraceEvent withBody(RequestBody newBody) {
        return new TraceEvent(
                offsetNanos, clientId, target, requestClass, sizeBytes, method, conditional, segment, newBody);
    }

    /** How much of a queue's memory it takes: 1, and 1 more for each KiB that has begun of a body of its own. */
    public int weight() {
        return body == null || body.isShared() ? 1 : 1 + (body.lengthBytes() + 1023) / 1024;
    }
}
