package dev.retier.agent.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why a request is not answered as it wants, as problem details (RFC 9457): of the type {@code about:blank}, so that
 * the status says of which kind it is.
 *
 * @param status of HTTP
 * @param detail what is wrong with this request, for people
 * @param remedy what they can do
 */
record Problem(int status, String detail, String remedy) {
    static final String TYPE = "application/problem+json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Answers it. */
    void send(HttpServerExchange exchange) {
        Watched.send(exchange, status, TYPE, json());
    }

    private String json() {
        ObjectNode root = MAPPER.createObjectNode()
                .put("type", "about:blank")
                .put("title", StatusCodes.getReason(status))
                .put("status", status)
                .put("detail", detail)
                .put("remedy", remedy);
        return MAPPER.writeValueAsString(root);
    }
}
