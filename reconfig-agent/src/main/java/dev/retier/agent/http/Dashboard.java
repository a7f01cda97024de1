package dev.retier.agent.http;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.ETag;
import io.undertow.util.ETagUtils;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.QValueParser;
import io.undertow.util.StatusCodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The page that people watch a cell by: {@code /} and the files that it consists of, below {@code /page/}. They hold
 * nothing of the cell, which the page asks the API for, so anybody may have them. A browser asks each time whether it
 * has the present ones: after an upgrade it loads the new page. Passes on all other paths. Thread-safe.
 */
final class Dashboard implements HttpHandler {
    private static final String FOLDER = "/page/";
    private static final String INDEX = "index.html";
    private static final HttpString REFERRER_POLICY = new HttpString("Referrer-Policy");
    private static final String POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** What a class path cannot list. */
    private static final List<String> NAMES = List.of(
            INDEX,
            "page.css",
            "page.js",
            "api.js",
            "charts.js",
            "commands.js",
            "dom.js",
            "format.js",
            "model.js",
            "sites.js",
            "stream.js",
            "tables.js",
            "icon.svg",
            "uplot/uPlot.iife.min.js",
            "uplot/uPlot.min.css");

    private static final Map<String, Asset> ASSETS =
            NAMES.stream().map(Asset::of).collect(Collectors.toUnmodifiableMap(Asset::path, Function.identity()));

    private final HttpHandler next;

    /** Before what answers all else. */
    Dashboard(HttpHandler next) {
        this.next = next;
    }

    /** A file, as it is and compressed. */
    private record Asset(String path, String type, ByteBuffer plain, ByteBuffer compressed, String tag) {
        static Asset of(String name) {
            try (InputStream in = Dashboard.class.getResourceAsStream("page/" + name)) {
                byte[] bytes = Objects.requireNonNull(in, () -> name + " is missing from the build")
                        .readAllBytes();
                String path = name.equals(INDEX) ? "/" : FOLDER + name;
                String type = Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
                return new Asset(path, type, direct(bytes), direct(compressed(bytes)), digest(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static ByteBuffer direct(byte[] bytes) {
            return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
        }

        private static byte[] compressed(byte[] bytes) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(bytes);
            }
            return out.toByteArray();
        }

        private static String digest(byte[] bytes) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
                return HexFormat.of().formatHex(digest, 0, 16);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        Asset asset = ASSETS.get(exchange.getRelativePath());
        HttpString method = exchange.getRequestMethod();
        if (asset == null) {
            next.handleRequest(exchange);
        } else if (method.equals(Methods.GET) || method.equals(Methods.HEAD)) {
            serve(asset, exchange);
        } else {
            Paths.refuseAllButReads(exchange);
        }
    }

    private static void serve(Asset asset, HttpServerExchange exchange) {
        boolean isCompressed = takesGzip(exchange.getRequestHeaders().get(Headers.ACCEPT_ENCODING));
        ETag tag = new ETag(false, asset.tag + (isCompressed ? "-gzip" : ""));
        exchange.getResponseHeaders()
                .put(Headers.ETAG, tag.toString())
                .put(Headers.CACHE_CONTROL, "no-cache")
                .put(Headers.VARY, "Accept-Encoding")
                .put(Headers.CONTENT_SECURITY_POLICY, POLICY)
                .put(Headers.X_CONTENT_TYPE_OPTIONS, "nosniff")
                .put(REFERRER_POLICY, "no-referrer");
        if (!ETagUtils.handleIfNoneMatch(exchange, tag, false)) {
            exchange.setStatusCode(StatusCodes.NOT_MODIFIED).endExchange();
            return;
        }
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, asset.type);
        if (isCompressed) {
            exchange.getResponseHeaders().put(Headers.CONTENT_ENCODING, "gzip");
        }
        exchange.getResponseSender().send((isCompressed ? asset.compressed : asset.plain).duplicate());
    }

    private static boolean takesGzip(@Nullable HeaderValues accepted) {
        return accepted != null
                && QValueParser.parse(accepted).stream()
                        .flatMap(List::stream)
                        .anyMatch(coding -> coding.getValue().equals("gzip") && !coding.isQValueZero());
    }
}
