package dev.retier.agent.http;

import dev.retier.agent.access.Caller;
import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.CertificateNames;
import dev.retier.agent.access.Printable;
import dev.retier.agent.access.Refusals;
import dev.retier.agent.access.Tokens;
import dev.retier.config.tls.Certificates;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands before all paths of an agent: finds out who asks, by token or else by certificate, and lets nobody through who
 * may not read. Whether one may command, the paths that are commands ask by {@link #forOperators}. Who it is goes with
 * the request ({@link #caller}). Thread-safe.
 */
final class RoleCheck implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final AttachmentKey<Caller> CALLER = AttachmentKey.create(Caller.class);
    private static final Set<HttpString> READS = Set.of(Methods.GET, Methods.HEAD);
    /** The description is the same in all agents of a version, as the page is that links to it. */
    private static final Set<String> ALWAYS_OPEN = Set.of("/livez", "/readyz", "/v1/openapi.yaml");

    private static final String BEARER = "Bearer ";
    /** RFC 6750, section 3. */
    private static final String CHALLENGE = "Bearer realm=\"retier\"";

    private static final String BAD_TOKEN = CHALLENGE + ", error=\"invalid_token\"";

    private final AdminAccess access;
    private final HttpHandler paths;

    /** Before {@code paths}. */
    RoleCheck(AdminAccess access, HttpHandler paths) {
        this.access = access;
        this.paths = paths;
    }

    /** What is found out of a request. */
    private sealed interface Found {
        record By(Caller caller) implements Found {}

        /** It is not answered, as {@code problem} says; {@code challenge} goes with 401. */
        record Refused(
                Caller caller, Problem problem, @Nullable String challenge) implements Found {}
    }

    /** Who has sent a request that has come through. */
    static Caller caller(HttpServerExchange exchange) {
        return Objects.requireNonNull(exchange.getAttachment(CALLER), "the check stands before all paths");
    }

    /** Tells a caller who it is, and what it may do. */
    static void tell(HttpServerExchange exchange) {
        Caller caller = caller(exchange);
        String json = JsonMapper.shared()
                .createObjectNode()
                .put("name", caller.name())
                .put("role", caller.role().name().toLowerCase(Locale.ROOT))
                .put("may_command", caller.role().covers(CallerRole.OPERATOR))
                .toString();
        Watched.send(exchange, StatusCodes.OK, "application/json", json);
    }

    /** Has operators answered by {@code commands}, and all others by {@code others}; it stands behind a check. */
    static HttpHandler forOperators(HttpHandler commands, HttpHandler others) {
        return exchange -> {
            boolean mayCommand = caller(exchange).role().covers(CallerRole.OPERATOR);
            (mayCommand ? commands : others).handleRequest(exchange);
        };
    }

    /** Refuses a command of one who is no operator, with 403. */
    static void refuseCommand(AdminAccess access, HttpServerExchange exchange) {
        refuse(access, exchange, notOperator(caller(exchange)));
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        InetAddress address = exchange.getSourceAddress().getAddress();
        switch (find(exchange, address)) {
            case Found.By(Caller caller) -> {
                exchange.putAttachment(CALLER, caller);
                paths.handleRequest(exchange);
            }
            case Found.Refused refused -> refuse(access, exchange, refused);
        }
    }

    private Found find(HttpServerExchange exchange, InetAddress address) {
        Caller anybody = Caller.anybody(
                access.tls().isPresent() ? CallerRole.NONE : CallerRole.VIEWER, address.getHostAddress());
        if (!READS.contains(exchange.getRequestMethod()) && isOfOtherPage(exchange)) {
            return forbidden(
                    anybody,
                    "a page of another origin has sent this",
                    "send commands from a page of this agent, or without a browser; a proxy before the agent must pass"
                            + " on the Host that it was asked for (nginx: proxy_set_header Host $http_host)");
        }
        if (isOpen(exchange.getRelativePath())) {
            return new Found.By(anybody);
        }
        String token = token(exchange);
        if (token != null && access.takesTokens()) {
            return byToken(token, address);
        }
        X509Certificate[] chain = chain(exchange);
        return chain.length > 0 ? byCertificate(chain, anybody.address()) : unproven(anybody);
    }

    private boolean isOpen(String path) {
        return ALWAYS_OPEN.contains(path)
                || (access.config().isReadByAll() && (path.equals("/metrics") || path.startsWith("/v1/targets/")));
    }

    private Found byToken(String token, InetAddress address) {
        Caller anybody = Caller.anybody(CallerRole.NONE, address.getHostAddress());
        if (!access.refusals().isHeard(address, System.nanoTime())) {
            return new Found.Refused(
                    anybody,
                    new Problem(
                            StatusCodes.TOO_MANY_REQUESTS,
                            "too many bad tokens came from this address; none is looked at now",
                            "wait for a second, and send a good one"),
                    null);
        }
        Optional<Tokens.Owner> owner = access.tokens().owner(token);
        if (owner.isEmpty()) {
            access.refusals().badToken(address, System.nanoTime());
            return new Found.Refused(
                    anybody,
                    new Problem(
                            StatusCodes.UNAUTHORIZED,
                            "this token is in no line of the agent's tokens file",
                            "send one that is, or have its line added (retier token new)"),
                    BAD_TOKEN);
        }
        return new Found.By(new Caller(owner.get().name(), owner.get().role(), anybody.address()));
    }

    /** It was good when the connection began; by now it may have expired, or its signer have been taken away. */
    private Found byCertificate(X509Certificate[] chain, String address) {
        Caller caller = CertificateNames.caller(Certificates.names(chain[0]), access.cluster(), address);
        try {
            access.requireTrusted(chain);
        } catch (CertificateException e) {
            return new Found.Refused(
                    Caller.anybody(CallerRole.NONE, address),
                    new Problem(
                            StatusCodes.UNAUTHORIZED,
                            "the certificate of " + caller.name() + " is not good any more",
                            "connect with a new one"),
                    CHALLENGE);
        }
        return caller.role().covers(CallerRole.VIEWER)
                ? new Found.By(caller)
                : forbidden(
                        caller,
                        "nobody says that " + caller.name() + " may read",
                        "have the name of your certificate added to admin.viewers in the cluster file");
    }

    private Found unproven(Caller anybody) {
        return anybody.role().covers(CallerRole.VIEWER)
                ? new Found.By(anybody)
                : new Found.Refused(
                        anybody,
                        new Problem(
                                StatusCodes.UNAUTHORIZED,
                                "this agent answers those who prove who they are",
                                access.means()),
                        CHALLENGE);
    }

    private static Found.Refused notOperator(Caller caller) {
        return caller.isKnown()
                ? forbidden(
                        caller,
                        caller.name() + " may read, and only operators command",
                        "come with an operator's token, or have the name of your certificate added to admin.operators"
                                + " in the cluster file")
                : forbidden(
                        caller,
                        "only operators command, and who sent this has not proven to be one",
                        "use the control socket of the node (retier move, drain, pause, ...), or configure admin.tls");
    }

    private static Found.Refused forbidden(Caller caller, String detail, String remedy) {
        return new Found.Refused(caller, new Problem(StatusCodes.FORBIDDEN, detail, remedy), null);
    }

    private static void refuse(AdminAccess access, HttpServerExchange exchange, Found.Refused refused) {
        Caller caller = refused.caller();
        long told = access.refusals().refused(exchange.getSourceAddress().getAddress(), System.nanoTime());
        if (told > 0) {
            LOG.warn(
                    "{}: refused {} {} of {} at {}: {} {}{}",
                    access.node(),
                    exchange.getRequestMethod(),
                    Printable.of(exchange.getRequestURI()),
                    Printable.of(caller.name()),
                    caller.address(),
                    refused.problem().status(),
                    Printable.of(refused.problem().detail()),
                    Refusals.others(told));
        }
        if (refused.challenge() != null) {
            exchange.getResponseHeaders().put(Headers.WWW_AUTHENTICATE, refused.challenge());
        }
        if (refused.problem().status() == StatusCodes.TOO_MANY_REQUESTS) {
            exchange.getResponseHeaders().put(Headers.RETRY_AFTER, 1);
        }
        refused.problem().send(exchange);
    }

    private static @Nullable String token(HttpServerExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        return given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? given.substring(BEARER.length()).strip()
                : null;
    }

    /** Browsers say of which page a request is (RFC 6454); what is none says nothing. */
    private static boolean isOfOtherPage(HttpServerExchange exchange) {
        List<String> origins = exchange.getRequestHeaders().get(Headers.ORIGIN);
        if (origins == null) {
            return false;
        }
        try {
            return origins.size() != 1 || !exchange.getHostAndPort().equals(new URI(origins.getFirst()).getAuthority());
        } catch (URISyntaxException e) {
            return true;
        }
    }

    private static X509Certificate[] chain(HttpServerExchange exchange) {
        SSLSession session = exchange.getConnection().getSslSession();
        try {
            return session != null && session.getPeerCertificates() instanceof X509Certificate[] chain
                    ? chain
                    : new X509Certificate[0];
        } catch (SSLPeerUnverifiedException e) {
            // It has shown none.
            return new X509Certificate[0];
        }
    }
}
