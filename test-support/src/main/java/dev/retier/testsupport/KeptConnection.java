package dev.retier.testsupport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client's kept-alive connection of HTTP/1.1, to see when the server ends it. Not thread-safe. */
public final class KeptConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;

    private KeptConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** So many to a port of loopback. */
    public static List<KeptConnection> open(int port, int count) {
        List<KeptConnection> opened = new ArrayList<>();
        try {
            for (int connection = 0; connection < count; connection++) {
                opened.add(new KeptConnection(port));
            }
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Each asks once for {@code target}; those that are let go leave the list.
     *
     * @return how many were
     * @throws IllegalStateException for an answer that is not whole, not 200, or not as it says
     */
    public static int letGo(List<KeptConnection> kept, String target) {
        int before = kept.size();
        kept.removeIf(connection -> connection.isLetGo(target));
        return before - kept.size();
    }

    /** Asks once; whether the whole answer said that it was the last, which then it must be. */
    private boolean isLetGo(String target) {
        try {
            String request = "GET " + target + " HTTP/1.1\r\nHost: a.example\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            require(line().startsWith("HTTP/1.1 200 "), "the answer is not good");
            boolean isLast = false;
            int length = -1;
            for (String field = line(); !field.isEmpty(); field = line()) {
                String lower = field.toLowerCase(Locale.ROOT);
                isLast |= lower.equals("connection: close");
                length = lower.startsWith("content-length:")
                        ? Integer.parseInt(lower.substring(15).strip())
                        : length;
            }
            require(length >= 0 && in.readNBytes(length).length == length, "the answer is cut");
            require(!isLast || in.read() < 0, "the connection goes on after its last answer");
            if (isLast) {
                socket.close();
            }
            return isLast;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            require(next >= 0, "the connection ended in the middle of a head");
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
