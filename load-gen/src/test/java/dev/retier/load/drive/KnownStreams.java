package dev.retier.load.drive;

import dev.retier.load.target.Target;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A server of event streams and WebSockets whose events are known: it notes how many it sent of each URL. What a stream
 * does is in its path, behind the number that tells it from others: {@code /7/ends}.
 */
final class KnownStreams implements AutoCloseable {
    /** From one event of an endless stream to the next. */
    static final long EVERY_MILLIS = 20;

    /** Events of a stream that ends by itself. */
    static final int EVENTS_BEFORE_THE_END = 3;

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> sent = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private KnownStreams(ServerSocket listener) {
        this.listener = listener;
    }

    static KnownStreams start() {
        try {
            KnownStreams server = new KnownStreams(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().start(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Target target() {
        return new Target("127.0.0.1", listener.getLocalPort());
    }

    /** Events or messages sent to who asked for {@code url}. */
    int sent(String url) {
        return sent.getOrDefault(url, 0);
    }

    @Override
    public void close() {
        try {
            closed.countDown();
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String head = head(in);
            String url = head.isEmpty() ? "/" : head.split(" ", 3)[1];
            String does = url.substring(url.lastIndexOf('/') + 1);
            if (head.contains("Sec-WebSocket-Key: ")) {
                webSocket(does, url, head, socket, in);
            } else {
                events(does, url, socket);
            }
        } catch (IOException | InterruptedException e) {
            closed.getCount(); // the client left, or this server is closed: what matters is counted elsewhere
        } finally {
            open.remove(socket);
        }
    }

    private void events(String does, String url, Socket socket) throws IOException, InterruptedException {
        if (does.equals("missing")) {
            send(socket, "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno");
            return;
        }
        String type = does.equals("bytes") ? "application/octet-stream" : "text/event-stream; charset=utf-8";
        send(socket, "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n");
        chunk(socket, ": a comment is no event\n\n");
        boolean isEndless = does.equals("endless") || does.equals("bytes");
        for (int i = 0; isEndless || i < EVENTS_BEFORE_THE_END; i++) {
            rest();
            chunk(socket, "id: " + i + "\ndata: {\"n\":");
            sent.merge(url, 1, Integer::sum);
            chunk(socket, i + "}\n\n");
        }
        send(socket, does.equals("ends") ? "0\r\n\r\n" : "ff\r\ndata: cut sho");
    }

    private void webSocket(String does, String url, String head, Socket socket, InputStream in)
            throws IOException, InterruptedException {
        String key = head.replaceAll("(?s).*Sec-WebSocket-Key: ([^\r]*)\r.*", "$1");
        switch (does) {
            case "forbidden" -> send(socket, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
            case "page" -> send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            case "wrong-accept" -> send(socket, switching(key + "x"));
            default -> {
                send(socket, switching(key));
                messages(does, url, socket, in);
            }
        }
    }

    private void messages(String does, String url, Socket socket, InputStream in)
            throws IOException, InterruptedException {
        switch (does) {
            case "echo", "deaf" -> {
                while (echo(does, url, socket, in)) {
                    sent.merge(url, does.equals("echo") ? 1 : 0, Integer::sum);
                }
            }
            case "tires" -> {
                while (echo(sent(url) < EVENTS_BEFORE_THE_END ? "echo" : "deaf", url, socket, in)) {
                    sent.merge(url, 1, Integer::sum);
                }
            }
            case "chats" -> chat(url, socket);
            case "half" -> frame(socket, 0x81, 5, "ha");
            case "masked" -> frame(socket, 0x81, 0x85, "helloxxxx");
            case "oversized" -> send(socket, new byte[] {(byte) 0x82, 127, 0, 0, 0, 0, 1, 0, 0, 1});
            case "closes" -> {
                for (int i = 0; i < EVENTS_BEFORE_THE_END; i++) {
                    frame(socket, 0x82, 4, "data");
                }
                frame(socket, 0x88, 2, "\u0003\u00e9");
                rest();
            }
            default -> throw new IllegalArgumentException(does);
        }
    }

    /** A message of each kind in turn, some in two frames with a ping between them. */
    private void chat(String url, Socket socket) throws IOException, InterruptedException {
        for (int i = 0; ; i++) {
            rest();
            sent.merge(url, 1, Integer::sum);
            switch (i % 3) {
                case 0 -> frame(socket, 0x81, 2, "hi");
                case 1 -> frame(socket, 0x82, 3, "\u0000\u0001\u0002");
                default -> {
                    frame(socket, 0x01, 2, "ha");
                    frame(socket, 0x89, 1, "p");
                    frame(socket, 0x80, 2, "lf");
                }
            }
        }
    }

    /** Reads a client's short, masked frame, and answers it unless it is deaf; false when that was its last. */
    private static boolean echo(String does, String url, Socket socket, InputStream in) throws IOException {
        int opcode = in.read();
        int length = in.read() & 0x7F;
        byte[] rest = in.readNBytes(4 + length);
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) (rest[4 + i] ^ rest[i % 4]);
        }
        if (opcode < 0) {
            throw new IOException("the client of " + url + " left without closing");
        }
        if (does.equals("echo")) {
            frame(socket, opcode, length, new String(payload, StandardCharsets.ISO_8859_1));
        }
        return opcode != 0x88;
    }

    private void rest() throws InterruptedException {
        if (closed.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("the server is closed");
        }
    }

    private static String switching(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: "
                    + Base64.getEncoder().encodeToString(hash) + "\r\n\r\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void frame(Socket socket, int first, int second, String payload) throws IOException {
        send(socket, (char) first + "" + (char) second + payload);
    }

    private static void chunk(Socket socket, String text) throws IOException {
        send(socket, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static void send(Socket socket, String text) throws IOException {
        send(socket, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.append((char) c);
        }
        return head.toString();
    }
}
