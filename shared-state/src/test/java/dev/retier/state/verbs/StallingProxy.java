package dev.retier.state.verbs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Carries TCP connections to a node and can stop in the middle of them without closing any. */
final class StallingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition resumed = lock.newCondition();
    /** Guarded by lock. */
    private boolean isStalled;

    StallingProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    void stall(boolean stalled) {
        lock.lock();
        try {
            isStalled = stalled;
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(target.getAddress(), target.getPort());
                sockets.addAll(List.of(from, to));
                Thread.ofVirtual().start(() -> carry(from, to));
                Thread.ofVirtual().start(() -> carry(to, from));
            }
        } catch (IOException closed) {
            stall(false);
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[65536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                awaitResumed();
                out.write(bytes, 0, count);
            }
            awaitResumed();
        } catch (IOException ended) {
            // One end is gone, and by the closing above the other learns it.
            return;
        }
    }

    private void awaitResumed() {
        lock.lock();
        try {
            while (isStalled) {
                resumed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        stall(false);
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
