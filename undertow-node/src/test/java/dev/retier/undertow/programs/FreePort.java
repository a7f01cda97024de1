package dev.retier.undertow.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** For a server that cannot tell which port the system chose. */
final class FreePort {
    private FreePort() {}

    static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
