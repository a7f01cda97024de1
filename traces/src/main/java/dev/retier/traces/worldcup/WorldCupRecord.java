package dev.retier.traces.worldcup;

import dev.retier.traces.RequestMethod;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of the 1998 World Cup web site, as its binary logs store it: 20 bytes, big-endian, no padding.
 *
 * <pre>
 *   0              4              8             12             16     17     18     19
 *  +--------------+--------------+--------------+--------------+------+------+------+------+
 *  | timestamp    | clientID     | objectID     | size         |method|status| type |server|
 *  | u32 seconds  | u32          | u32          | u32 bytes    | u8   |vv ssssss    |rrr sssss
 *  +--------------+--------------+--------------+--------------+------+------+------+------+
 * </pre>
 *
 * <p>Status: two bits of HTTP version, six bits of index into the table of status codes. Server: three bits of region,
 * five of number. All integers are unsigned.
 *
 * @param timestampSeconds seconds since 1970 in UTC
 * @param clientId one per address, stable over all files
 * @param objectId one per URL, stable over all files
 * @param sizeBytes body length; {@link #NO_SIZE} when none was logged
 * @param method method byte, 0..8
 * @param status status byte, index part 0..37
 * @param type type byte, 0..12
 * @param server server byte, region part 0..3
 */
public record WorldCupRecord(
        long timestampSeconds,
        long clientId,
        long objectId,
        long sizeBytes,
        int method,
        int status,
        int type,
        int server) {
    /** Length of a record. */
    public static final int LENGTH_BYTES = 20;

    /** The size field of a request that was logged without a size. */
    public static final long NO_SIZE = 0xFFFF_FFFFL;

    private static final int TIMESTAMP_OFFSET = 0;
    private static final int CLIENT_OFFSET = 4;
    private static final int OBJECT_OFFSET = 8;
    private static final int SIZE_OFFSET = 12;
    private static final int METHOD_OFFSET = 16;
    private static final int STATUS_OFFSET = 17;
    private static final int TYPE_OFFSET = 18;
    private static final int SERVER_OFFSET = 19;

    private static final List<RequestMethod> METHOD_CODES = List.of(
            RequestMethod.GET,
            RequestMethod.HEAD,
            RequestMethod.POST,
            RequestMethod.PUT,
            RequestMethod.DELETE,
            RequestMethod.TRACE,
            RequestMethod.OPTIONS,
            RequestMethod.CONNECT,
            RequestMethod.OTHER);
    private static final int METHODS = 9;
    private static final int STATUSES = 38;
    private static final int TYPES = 13;
    private static final int REGIONS = 4;
    private static final int TYPE_DYNAMIC = 6;
    private static final int STATUS_INDEX_MASK = 0x3F;
    private static final int REGION_SHIFT = 5;
    private static final int INDEX_OF_200 = 2;
    private static final int INDEX_OF_304 = 13;

    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /**
     * Reads the record at {@code offset} without judging it; {@link #problem()} does that.
     *
     * @throws IndexOutOfBoundsException when fewer than {@link #LENGTH_BYTES} bytes are left
     */
    public static WorldCupRecord parse(byte[] bytes, int offset) {
        return new WorldCupRecord(
                timestampSeconds(bytes, offset),
                clientId(bytes, offset),
                objectId(bytes, offset),
                sizeBytes(bytes, offset),
                method(bytes, offset),
                status(bytes, offset),
                type(bytes, offset),
                server(bytes, offset));
    }

    /** Writes all 20 bytes at {@code offset}. Fields are cut to their width. */
    public void emit(byte[] bytes, int offset) {
        U32.set(bytes, offset + TIMESTAMP_OFFSET, (int) timestampSeconds);
        U32.set(bytes, offset + CLIENT_OFFSET, (int) clientId);
        U32.set(bytes, offset + OBJECT_OFFSET, (int) objectId);
        U32.set(bytes, offset + SIZE_OFFSET, (int) sizeBytes);
        bytes[offset + METHOD_OFFSET] = (byte) method;
        bytes[offset + STATUS_OFFSET] = (byte) status;
        bytes[offset + TYPE_OFFSET] = (byte) type;
        bytes[offset + SERVER_OFFSET] = (byte) server;
    }

    /** Whether the four coded bytes at {@code offset} are in range; the fast form of {@link #problem()}. */
    public static boolean isSound(byte[] bytes, int offset) {
        return method(bytes, offset) < METHODS
                && (status(bytes, offset) & STATUS_INDEX_MASK) < STATUSES
                && type(bytes, offset) < TYPES
                && server(bytes, offset) >> REGION_SHIFT < REGIONS;
    }

    /** The first field that is out of range, in words, or null when all are in range. */
    public @Nullable String problem() {
        if (method >= METHODS) {
            return "method " + method + " is not 0..8";
        }
        if (statusIndex() >= STATUSES) {
            return "status index " + statusIndex() + " is not 0..37";
        }
        if (type >= TYPES) {
            return "type " + type + " is not 0..12";
        }
        if (server >> REGION_SHIFT >= REGIONS) {
            return "region " + (server >> REGION_SHIFT) + " is not 0..3";
        }
        return null;
    }

    /** Index into the table of status codes, 0..37 when sound. */
    public int statusIndex() {
        return status & STATUS_INDEX_MASK;
    }

    /** Whether the answer was 200 OK. */
    static boolean isOk(byte[] bytes, int offset) {
        return (status(bytes, offset) & STATUS_INDEX_MASK) == INDEX_OF_200;
    }

    /** Whether the answer was 304 Not Modified. */
    static boolean isNotModified(byte[] bytes, int offset) {
        return (status(bytes, offset) & STATUS_INDEX_MASK) == INDEX_OF_304;
    }

    /** Whether the URL was computed at the server: the log's own type DYNAMIC. */
    static boolean isDynamic(byte[] bytes, int offset) {
        return type(bytes, offset) == TYPE_DYNAMIC;
    }

    /** The method of a sound record. */
    public RequestMethod requestMethod() {
        return METHOD_CODES.get(method);
    }

    /** The method of the sound record at {@code offset}. */
    static RequestMethod requestMethod(byte[] bytes, int offset) {
        return METHOD_CODES.get(method(bytes, offset));
    }

    static long timestampSeconds(byte[] bytes, int offset) {
        return u32(bytes, offset + TIMESTAMP_OFFSET);
    }

    static long clientId(byte[] bytes, int offset) {
        return u32(bytes, offset + CLIENT_OFFSET);
    }

    static long objectId(byte[] bytes, int offset) {
        return u32(bytes, offset + OBJECT_OFFSET);
    }

    static long sizeBytes(byte[] bytes, int offset) {
        return u32(bytes, offset + SIZE_OFFSET);
    }

    static int method(byte[] bytes, int offset) {
        return bytes[offset + METHOD_OFFSET] & 0xFF;
    }

    static int status(byte[] bytes, int offset) {
        return bytes[offset + STATUS_OFFSET] & 0xFF;
    }

    static int type(byte[] bytes, int offset) {
        return bytes[offset + TYPE_OFFSET] & 0xFF;
    }

    static int server(byte[] bytes, int offset) {
        return bytes[offset + SERVER_OFFSET] & 0xFF;
    }

    private static long u32(byte[] bytes, int offset) {
        return (int) U32.get(bytes, offset) & 0xFFFF_FFFFL;
    }
}
