package dev.retier.webnode.serve;

import dev.retier.webnode.core.Answer;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.ETagUtils;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.StatusCodes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes answers. Called on the exchange's I/O thread, once per exchange. */
public final class Replies {
    /** {@code hit}, {@code miss} or {@code forward}, from a proxy. */
    public static final HttpString CACHE = new HttpString("X-Retier-Cache");

    private static final String TEXT = "text/plain; charset=utf-8";

    private Replies() {}

    /** One line of text; {@code line} without its end. */
    public static void line(HttpServerExchange exchange, int status, String line) {
        byte[] body = (line + "\n").getBytes(StandardCharsets.UTF_8);
        send(exchange, new Answer(status, TEXT, null, "no-store", null, body));
    }

    /** The answer, or 304 when the client has it already (RFC 9110 section 13.1.2). */
    static void send(HttpServerExchange exchange, Answer answer) {
        HeaderMap headers = exchange.getResponseHeaders();
        exchange.setStatusCode(answer.status());
        put(headers, Headers.ETAG, answer.entityTag());
        put(headers, Headers.CACHE_CONTROL, answer.cacheControl());
        put(headers, Headers.RETRY_AFTER, answer.retryAfter());
        if (answer.status() == StatusCodes.OK && clientHas(exchange, answer)) {
            exchange.setStatusCode(StatusCodes.NOT_MODIFIED);
            exchange.endExchange();
            return;
        }
        headers.put(Headers.CONTENT_TYPE, answer.contentType());
        exchange.setResponseContentLength(answer.body().length);
        if (answer.body().length == 0) {
            exchange.endExchange();
        } else {
            exchange.getResponseSender().send(ByteBuffer.wrap(answer.body()));
        }
    }

    private static boolean clientHas(HttpServerExchange exchange, Answer answer) {
        return answer.entityTag() != null && !ETagUtils.handleIfNoneMatch(exchange, ETagUtils.getETag(exchange), true);
    }

    private static void put(HeaderMap headers, HttpString name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }
}
