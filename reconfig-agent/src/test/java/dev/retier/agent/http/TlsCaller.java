package dev.retier.agent.http;

import dev.retier.config.HostPort;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.RereadListener;
import dev.retier.config.tls.TrustFile;
import dev.retier.testsupport.TestAuthority.PemPair;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** One that asks a server over TLS, on one connection. */
final class TlsCaller implements AutoCloseable {
    private static final RereadListener NEVER = new RereadListener() {
        @Override
        public void taken(List<Path> files) {
            // A caller lives for one test.
        }

        @Override
        public void refused(PemException why) {
            throw why;
        }
    };

    private final HostPort server;
    private final SSLContext context;
    private final HttpClient client;
    private final @Nullable String token;

    private TlsCaller(HostPort server, SSLContext context, HttpClient client, @Nullable String token) {
        this.server = server;
        this.context = context;
        this.client = client;
        this.token = token;
    }

    static TlsCaller of(HostPort server, Path authority, @Nullable PemPair own) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    own == null ? null : new KeyManager[] {KeyFiles.open(own.certificate(), own.key(), NEVER)},
                    new TrustManager[] {TrustFile.open(authority, NEVER)},
                    null);
            return new TlsCaller(
                    server, context, HttpClient.newBuilder().sslContext(context).build(), null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What it trusts, and shows. */
    SSLContext context() {
        return context;
    }

    TlsCaller withToken(String shown) {
        return new TlsCaller(server, context, client, shown);
    }

    TlsCaller to(HostPort other) {
        return new TlsCaller(other, context, client, token);
    }

    TlsCaller withProtocol(String protocol) {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {protocol});
        return new TlsCaller(
                server,
                context,
                HttpClient.newBuilder()
                        .sslContext(context)
                        .sslParameters(parameters)
                        .build(),
                token);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return ask("GET", path);
    }

    HttpResponse<String> ask(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + server + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** How that is answered; the answer itself, which may have no end, is left. */
    int status(String method, String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + server + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    /** Sends a command. */
    HttpResponse<String> command(String body, String... headers) throws IOException, InterruptedException {
        return command(HttpRequest.BodyPublishers.ofString(body), headers);
    }

    /** Sends what may be one. */
    HttpResponse<String> command(HttpRequest.BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + server + "/v1/commands"))
                .POST(body)
                .headers(headers);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
