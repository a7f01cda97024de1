package dev.retier.webnode.upstream;

import dev.retier.undertow.upstream.Upstream;
import dev.retier.webnode.config.ContentSettings;
import dev.retier.webnode.core.Answer;
import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientExchange;
import io.undertow.client.ClientRequest;
import io.undertow.client.ClientResponse;
import io.undertow.connector.ByteBufferPool;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/** One try of one request at one app. Lives on one I/O thread; its end is reported exactly once. */
final class Attempt {
    /** How a try ended. */
    sealed interface End {
        /** The app answered in full. */
        record Answered(Answer answer) implements End {}

        /** It did not; {@code reused} when the connection was an old one, so the app itself may be well. */
        record Broken(String reason, boolean reused) implements End {}
    }

    private final Upstream upstream;
    private final XnioIoThread thread;
    private final ByteBufferPool buffers;
    private final UpstreamRequest request;
    private final Consumer<End> whenDone;
    private @Nullable ClientConnection connection;
    private XnioExecutor.@Nullable Key deadline;
    private boolean reused;
    private boolean done;

    Attempt(
            Upstream upstream,
            XnioIoThread thread,
            ByteBufferPool buffers,
            UpstreamRequest request,
            Consumer<End> whenDone) {
        this.upstream = upstream;
        this.thread = thread;
        this.buffers = buffers;
        this.request = request;
        this.whenDone = whenDone;
    }

    /** Begins; on a new connection when {@code freshOnly} or none is idle. Called on the thread. */
    void start(boolean freshOnly) {
        upstream.enter();
        int millis = upstream.limits().timeoutMillis();
        deadline = thread.executeAfter(() -> timedOut(millis), millis, TimeUnit.MILLISECONDS);
        upstream.open(thread, buffers, freshOnly, new Upstream.Opened() {
            @Override
            public void opened(ClientConnection opened, boolean wasUsed) {
                if (done) {
                    IoUtils.safeClose(opened);
                } else {
                    reused = wasUsed;
                    send(opened);
                }
            }

            @Override
            public void failed(String reason) {
                broken(reason);
            }
        });
    }

    private void send(ClientConnection open) {
        connection = open;
        ClientRequest message = new ClientRequest().setMethod(Methods.GET).setPath(request.target());
        message.getRequestHeaders()
                .put(Headers.HOST, request.host())
                .put(Headers.VIA, request.via())
                .put(Headers.X_FORWARDED_FOR, request.clientAddress());
        open.sendRequest(
                message, callback(exchange -> exchange.setResponseListener(callback(answer -> read(answer, open)))));
    }

    private void read(ClientExchange exchange, ClientConnection open) {
        ClientResponse response = exchange.getResponse();
        BodyReader.Sink sink = new BodyReader.Sink() {
            @Override
            public void complete(byte[] body) {
                answered(response, body, open);
            }

            @Override
            public void tooLong() {
                answerTooLong();
            }

            @Override
            public void broken(IOException reason) {
                Attempt.this.broken(reason.toString());
            }
        };
        new BodyReader(buffers, ContentSettings.MAX_BODY_BYTES, sink).handleEvent(exchange.getResponseChannel());
    }

    private void answered(ClientResponse response, byte[] body, ClientConnection open) {
        if (!done) {
            HeaderMap headers = response.getResponseHeaders();
            String contentType = headers.getFirst(Headers.CONTENT_TYPE);
            upstream.giveBack(open, thread, System.nanoTime());
            finish(new End.Answered(new Answer(
                    response.getResponseCode(),
                    contentType == null ? "application/octet-stream" : contentType,
                    headers.getFirst(Headers.ETAG),
                    headers.getFirst(Headers.CACHE_CONTROL),
                    headers.getFirst(Headers.RETRY_AFTER),
                    body)));
        }
    }

    private void answerTooLong() {
        String text =
                "the answer of " + upstream.node() + " is longer than " + ContentSettings.MAX_BODY_BYTES + " bytes\n";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        IoUtils.safeClose(connection);
        finish(new End.Answered(
                new Answer(StatusCodes.BAD_GATEWAY, "text/plain; charset=utf-8", null, "no-store", null, body)));
    }

    private void timedOut(int millis) {
        reused = false;
        broken("no answer within " + millis + " ms");
    }

    private void broken(String reason) {
        finish(new End.Broken(reason, reused));
        IoUtils.safeClose(connection);
    }

    private void finish(End end) {
        if (!done) {
            done = true;
            if (deadline != null) {
                deadline.remove();
            }
            upstream.leave();
            whenDone.accept(end);
        }
    }

    private <T> ClientCallback<T> callback(Consumer<T> whenCompleted) {
        return new ClientCallback<>() {
            @Override
            public void completed(T result) {
                whenCompleted.accept(result);
            }

            @Override
            public void failed(IOException reason) {
                broken(reason.toString());
            }
        };
    }
}
