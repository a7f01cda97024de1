package dev.retier.load.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One opening handshake of a client (RFC 6455 section 4.1). Immutable, thread-safe.
 *
 * @param key value of the Sec-WebSocket-Key field
 */
public record WebSocketHandshake(String key) {
    private static final String SERVER_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int NONCE_BYTES = 16;

    /** With a nonce of 16 bytes, which should not be foreseeable. */
    public static WebSocketHandshake of(byte[] nonce) {
        if (nonce.length != NONCE_BYTES) {
            throw new IllegalArgumentException("a nonce has 16 bytes, this one " + nonce.length);
        }
        return new WebSocketHandshake(Base64.getEncoder().encodeToString(nonce));
    }

    /** The fields that ask for the protocol, each line ended. */
    public String fields() {
        return "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key
                + "\r\n";
    }

    /**
     * What is wrong with an answer 101, whose head {@code answer} has read; null when it accepts this handshake.
     * Extensions are none asked for, so that none may be used.
     */
    public @Nullable String problem(ResponseFraming answer) {
        if (!hasToken(answer.field("upgrade"), "websocket")) {
            return "its Upgrade field does not say websocket";
        }
        if (!hasToken(answer.field("connection"), "upgrade")) {
            return "its Connection field does not say Upgrade";
        }
        if (!accept().equals(answer.field("sec-websocket-accept"))) {
            return "its Sec-WebSocket-Accept does not belong to the key";
        }
        return answer.field("sec-websocket-extensions") == null ? null : "it uses an extension that was not asked for";
    }

    /** What a server that understands the handshake answers in its Sec-WebSocket-Accept field. */
    String accept() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1").digest((key + SERVER_GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static boolean hasToken(@Nullable String list, String token) {
        return list != null
                && Stream.of(list.split(",", -1)).anyMatch(each -> each.strip().equalsIgnoreCase(token));
    }
}
