package dev.retier.state.verbs.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A way to a node that can be blocked, so that its peer seems to have stopped, and listened to. */
final class Detour implements AutoCloseable {
    private static final int CHUNK = 4096;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Queue<byte[]> heard = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by lock. */
    private boolean blocked;

    Detour(InetSocketAddress target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    /** From now on nothing is carried any more, and no connection ends. */
    void block() {
        set(true);
    }

    void unblock() {
        set(false);
    }

    /** All that the caller's side has sent, piece by piece. */
    List<byte[]> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void set(boolean block) {
        lock.lock();
        try {
            blocked = block;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                goOn(listener.accept());
            }
        } catch (IOException closed) {
            set(false);
        }
    }

    /** A target that is not there yet costs the caller this connection only. */
    private void goOn(Socket near) throws IOException {
        try {
            Socket far = new Socket(target.getAddress(), target.getPort());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            Thread.ofVirtual().start(() -> carry(near, far, true));
            Thread.ofVirtual().start(() -> carry(far, near, false));
        } catch (ConnectException notThere) {
            near.close();
        }
    }

    private void carry(Socket from, Socket to, boolean listen) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] chunk = new byte[CHUNK];
            int length = in.read(chunk);
            while (length >= 0) {
                awaitWay();
                if (listen) {
                    heard.add(Arrays.copyOf(chunk, length));
                }
                out.write(chunk, 0, length);
                out.flush();
                length = in.read(chunk);
            }
        } catch (IOException ended) {
            // One of the two nodes has gone: both sockets are closed now.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitWay() throws InterruptedException {
        lock.lock();
        try {
            while (blocked) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
