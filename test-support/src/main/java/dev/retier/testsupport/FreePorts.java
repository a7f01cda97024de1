package dev.retier.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of loopback for servers that a test starts as processes. They are below those that Linux gives to connections
 * (32768 on), any of which might take a port between its choice and the start of its server; and none is given twice
 * by one process. Thread-safe.
 */
public final class FreePorts {
    private static final int FIRST = 12_000;
    private static final int COUNT = 20_000;
    /** Processes that test at the same time begin at places of their own. */
    private static final int STRIDE = 997;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

    private FreePorts() {}

    /** One at which nobody listens now. */
    public static int next() {
        while (true) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException _) {
                // Somebody has it: the next one.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
