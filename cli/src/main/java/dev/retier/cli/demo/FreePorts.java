package dev.retier.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Loopback ports that nobody uses at the moment. */
final class FreePorts {
    private FreePorts() {}

    /**
     * {@code count} different ports, chosen by the system. All are held until the last is found, and then let go;
     * another
     * process could take one before it is used, which then fails with a message that names it.
     */
    static List<Integer> take(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int index = 0; index < count; index++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        } finally {
            held.forEach(FreePorts::letGo);
        }
    }

    private static void letGo(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot let go of port " + socket.getLocalPort(), e);
        }
    }
}
