package dev.retier.load.http;

import dev.retier.traces.RequestBody;
import dev.retier.traces.TraceEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests for one Host (RFC 9112 section 3): their heads, and the bodies of the few that have one. Immutable,
 * thread-safe.
 *
 * <p>{@link TraceEvent} lets no target through that could end or split the request line, and {@link RequestBody} no
 * type that could end a field.
 */
public final class RequestHead {
    private static final byte[] AFTER_TARGET = ascii(" HTTP/1.1\r\n");
    private static final byte[] IF_NONE_MATCH = ascii("If-None-Match: *\r\n");
    private static final byte[] NO_BODY = ascii("Content-Length: 0\r\n");
    private static final List<HeaderField> USUAL =
            List.of(new HeaderField("User-Agent", "retier-load"), new HeaderField("Accept", "*/*"));
    private static final int ROOM_FOR_METHOD = 16;
    private static final int MOST_COPIED_BYTES = 16 * 1024;

    private final byte[] fields;

    /** What follows the target of nearly all requests: those without a body and without a condition. */
    private final byte[] usualEnd;

    private final boolean conditional;

    /**
     * What heads may say beside method, target and host.
     *
     * @param keepAlive false asks the server to close the connection after the answer
     * @param conditional whether events answered 304 originally ask {@code If-None-Match: *}, which any current
     *     representation answers with 304 (RFC 9110 section 13.1.2)
     * @param fields further fields of every head, in their order
     */
    public record Options(boolean keepAlive, boolean conditional, List<HeaderField> fields) {
        /** Copies the list. */
        public Options {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Requests for one host.
     *
     * @param host value of the Host field
     * @param options what else the heads say
     * @throws IllegalArgumentException when {@code host} cannot stand in a header field
     */
    public RequestHead(String host, Options options) {
        if (host.isEmpty() || !host.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException("host '" + host.strip() + "' cannot stand in a Host field");
        }
        conditional = options.conditional();
        String connection = options.keepAlive() ? "" : "Connection: close\r\n";
        StringBuilder head = new StringBuilder("Host: " + host + "\r\n");
        for (HeaderField usual : USUAL) {
            if (options.fields().stream().noneMatch(field -> field.name().equalsIgnoreCase(usual.name()))) {
                append(head, usual);
            }
        }
        options.fields().forEach(field -> append(head, field));
        fields = ascii(head + connection + "\r\n");
        usualEnd = Arrays.copyOf(AFTER_TARGET, AFTER_TARGET.length + fields.length);
        System.arraycopy(fields, 0, usualEnd, AFTER_TARGET.length, fields.length);
    }

    /** Bytes that {@link #write} needs at most for {@code event}. */
    public int maxLengthBytes(TraceEvent event) {
        int length = ROOM_FOR_METHOD + event.target().length() + AFTER_TARGET.length + fields.length;
        RequestBody body = event.body();
        if (body != null) {
            length += bodyFields(body).length + (isApart(body) ? 0 : body.lengthBytes());
        }
        return length + NO_BODY.length + IF_NONE_MATCH.length;
    }

    /** Appends a request for {@code event}'s target that asks for a WebSocket by {@code handshake} to {@code out}. */
    public void writeUpgrade(TraceEvent event, WebSocketHandshake handshake, ByteBuf out) {
        ByteBufUtil.writeAscii(out, "GET ");
        ByteBufUtil.writeAscii(out, event.target());
        out.writeBytes(AFTER_TARGET);
        ByteBufUtil.writeAscii(out, handshake.fields());
        out.writeBytes(fields);
    }

    /** Appends {@code event}'s request to {@code out}, but for what {@link #apart} says. */
    public void write(TraceEvent event, ByteBuf out) {
        ByteBufUtil.writeAscii(out, event.method().name());
        out.writeByte(' ');
        ByteBufUtil.writeAscii(out, event.target());
        RequestBody body = event.body();
        boolean asked = conditional && event.conditional();
        boolean empty = body == null && event.method().expectsBody();
        if (body == null && !asked && !empty) {
            out.writeBytes(usualEnd);
            return;
        }
        out.writeBytes(AFTER_TARGET);
        if (asked) {
            out.writeBytes(IF_NONE_MATCH);
        }
        if (body != null) {
            out.writeBytes(bodyFields(body));
        } else if (empty) {
            out.writeBytes(NO_BODY);
        }
        out.writeBytes(fields);
        if (body != null && !isApart(body)) {
            out.writeBytes(body.buffer());
        }
    }

    /** What of {@code event}'s request has to be sent behind what {@link #write} wrote, as it is; null: nothing. */
    public static @Nullable ByteBuffer apart(TraceEvent event) {
        RequestBody body = event.body();
        return body != null && isApart(body) ? body.buffer() : null;
    }

    /** A long body that many requests share need not be copied for each. */
    private static boolean isApart(RequestBody body) {
        return body.isShared() && body.lengthBytes() > MOST_COPIED_BYTES;
    }

    private static void append(StringBuilder head, HeaderField field) {
        head.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }

    private static byte[] bodyFields(RequestBody body) {
        return ascii("Content-Type: " + body.contentType() + "\r\nContent-Length: " + body.lengthBytes() + "\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
