package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.RequestBody;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A trace without what tells who asked for what: times, sizes, methods, classes and the pattern of who asks for the
 * same thing again stay. Clients, the segments of paths, and queries become keyed hashes (HMAC-SHA256, RFC 2104, cut
 * short), so that nobody without the key can try names or addresses until one fits; extensions that many files have
 * stay, as servers treat them differently; bodies keep their length and type. With a key that is thrown away nobody can
 * undo it. Immutable, thread-safe.
 */
public final class Anonymised implements Trace {
    private static final String ALGORITHM = "HmacSHA256";
    /** Others may be half of a name: john.smith. */
    private static final Set<String> EXTENSIONS = Set.of(
            "asp", "aspx", "avi", "bmp", "cgi", "css", "csv", "do", "gif", "gz", "htm", "html", "ico", "jpeg", "jpg",
            "js", "json", "jsp", "mp3", "mp4", "pdf", "php", "pl", "png", "svg", "txt", "wasm", "webp", "woff", "woff2",
            "xml", "zip");

    private final Trace trace;
    private final byte[] key;

    /**
     * {@code trace} under {@code key}.
     *
     * @param key 16 bytes or more that cannot be guessed
     */
    public Anonymised(Trace trace, byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes can be guessed; use 16 or more");
        }
        this.trace = trace;
        this.key = key.clone();
    }

    @Override
    public String name() {
        return trace.name();
    }

    @Override
    public EventStream open() {
        Hash hash = new Hash(key);
        return new MappedEvents(trace.open(), event -> Optional.of(List.of(hash.event(event))));
    }

    @Override
    public OptionalLong eventCount() {
        return trace.eventCount();
    }

    /** For one pass. One thread. */
    private static final class Hash {
        private final Mac mac;

        Hash(byte[] key) {
            try {
                mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(key, ALGORITHM));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + ALGORITHM, e);
            }
        }

        TraceEvent event(TraceEvent event) {
            RequestBody body = event.body();
            return new TraceEvent(
                    event.offsetNanos(),
                    of("client " + event.clientId()) >>> 16,
                    target(event.target()),
                    event.requestClass(),
                    event.sizeBytes(),
                    event.method(),
                    event.conditional(),
                    event.segment(),
                    body == null ? null : new RequestBody(plain(body.contentType()), new byte[body.lengthBytes()]));
        }

        /** Without parameters, which may hold a boundary or a name. */
        private static String plain(String contentType) {
            int end = contentType.indexOf(';');
            return end < 0 ? contentType : contentType.substring(0, end);
        }

        private String target(String target) {
            int query = target.indexOf('?');
            String path = query < 0 ? target : target.substring(0, query);
            StringBuilder hashed = new StringBuilder();
            String[] segments = path.substring(1).split("/", -1);
            for (int i = 0; i < segments.length; i++) {
                hashed.append('/').append(segments[i].isEmpty() ? "" : word("segment " + segments[i]));
            }
            hashed.append(extension(segments[segments.length - 1]));
            return query < 0 ? hashed.toString() : hashed + "?" + word("query " + target.substring(query));
        }

        /** With its dot; empty when the last segment has none that says nothing of anybody. */
        private static String extension(String segment) {
            int dot = segment.lastIndexOf('.');
            String extension = segment.substring(dot + 1).toLowerCase(Locale.ROOT);
            return dot > 0 && EXTENSIONS.contains(extension) ? "." + extension : "";
        }

        private String word(String text) {
            return Long.toString(of(text) >>> 24, Character.MAX_RADIX);
        }

        private long of(String text) {
            return ByteBuffer.wrap(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)))
                    .getLong();
        }
    }
}
