package dev.retier.testsupport;

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
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to a node that can be blocked, so that its peer seems to have stopped, and listened to. Blocking ends no
 * connection. A target that is not there yet costs its caller that connection only.
 */
public final class Detour implements AutoCloseable {
    private static final int BACKLOG = 50;
    private static final int CHUNK = 65536;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Queue<byte[]> heard = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by lock: where nothing is carried. */
    private final Set<Direction> blocked = EnumSet.noneOf(Direction.class);

    private enum Direction {
        THERE,
        BACK
    }

    /** A way to {@code target}, open until it is blocked. */
    public Detour(InetSocketAddress target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Where it begins. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** From now on nothing is carried any more, and no connection ends. */
    public void block() {
        set(EnumSet.allOf(Direction.class));
    }

    /** From now on the target hears all and its answers do not arrive, and no connection ends. */
    public void blockAnswers() {
        set(EnumSet.of(Direction.BACK));
    }

    /** Carries everything, what was kept back first. */
    public void unblock() {
        set(EnumSet.noneOf(Direction.class));
    }

    /** Ends all connections; what was kept back is lost. New ones are carried. */
    public void cut() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        unblock();
    }

    /** All that the caller's side has sent, piece by piece. */
    public List<byte[]> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }

    private void set(Set<Direction> directions) {
        lock.lock();
        try {
            blocked.clear();
            blocked.addAll(directions);
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
            unblock();
        }
    }

    private void goOn(Socket near) throws IOException {
        try {
            Socket far = new Socket(target.getAddress(), target.getPort());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            Thread.ofVirtual().start(() -> carry(near, far, Direction.THERE));
            Thread.ofVirtual().start(() -> carry(far, near, Direction.BACK));
        } catch (ConnectException notThere) {
            near.close();
        }
    }

    private void carry(Socket from, Socket to, Direction direction) {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                awaitWay(direction);
                if (direction == Direction.THERE) {
                    heard.add(Arrays.copyOf(chunk, length));
                }
                out.write(chunk, 0, length);
            }
            awaitWay(direction);
        } catch (IOException ended) {
            // One of the two nodes has gone, and by the closing above the other learns it.
            return;
        }
    }

    private void awaitWay(Direction direction) {
        lock.lock();
        try {
            while (blocked.contains(direction)) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
