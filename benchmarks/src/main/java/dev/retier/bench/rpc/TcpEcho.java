package dev.retier.bench.rpc;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Request and answer over plain blocking TCP on the loopback interface: a length and so many bytes each way, one
 * connection per calling thread, and one platform thread per connection that reads and answers.
 */
final class TcpEcho implements AutoCloseable {
    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    TcpEcho() throws IOException {
        listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("tcp-accept").start(this::accept);
    }

    /** A connection of its own. */
    Echo connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        return body -> {
            out.writeInt(body.length);
            out.write(body);
            out.flush();
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
        };
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                Thread.ofPlatform().daemon().name("tcp-echo").start(() -> echo(socket));
            }
        } catch (IOException closed) {
            // The measurement is over.
        }
    }

    private static void echo(Socket socket) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
            while (true) {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                out.writeInt(body.length);
                out.write(body);
                out.flush();
            }
        } catch (IOException closed) {
            // The measurement is over.
        }
    }
}
