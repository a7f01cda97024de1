package dev.retier.agent.http;

import dev.retier.config.Version;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/** What the API says of itself. Stateless. */
final class OpenApi {
    /** RFC 9512. */
    private static final String YAML = "application/yaml";

    private static final String DESCRIPTION = read();
    private static final String VERSION = version();

    private OpenApi() {}

    private static String read() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.yaml")) {
            byte[] bytes = Objects.requireNonNull(in, "openapi.yaml is missing from the build")
                    .readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String version() {
        JsonMapper mapper = new JsonMapper();
        return mapper.writeValueAsString(mapper.createObjectNode()
                .put("version", Version.current())
                .put("java", Runtime.version().toString()));
    }

    /** Its description. */
    static void description(HttpServerExchange exchange) {
        Watched.send(exchange, StatusCodes.OK, YAML, DESCRIPTION);
    }

    /** What runs. */
    static void version(HttpServerExchange exchange) {
        Watched.send(exchange, StatusCodes.OK, "application/json", VERSION);
    }
}
