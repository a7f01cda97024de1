package dev.retier.bench.state;

import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.SharedState;
import dev.retier.state.verbs.VerbsSharedState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The node that is watched, a process of its own: publishes its load in place, and answers the same figure on request.
 * Its server is a pool of workers that can be given more to do than they can. Ends when its watcher goes.
 *
 * <p>The figure is the monotonic time at which it was taken, which all processes of a machine share.
 */
public final class StalenessVictim {
    /** Answer at once, on a thread that does nothing else. */
    static final int ASK_DIRECTLY = 'd';

    /** Answer when a worker of the server comes to it. */
    static final int ASK_SERVER = 's';

    /** Keep all workers busy from now on. */
    static final int SATURATE = 'B';

    /** Let them rest; answered when they do. */
    static final int REST = 'b';

    private static final int WORKERS = 8;
    private static final long WORK_NANOS = 5_000_000;
    private static final long PUBLISH_NANOS = 10_000_000;

    private final ExecutorService server = Executors.newFixedThreadPool(WORKERS);
    private final AtomicInteger queued = new AtomicInteger();
    private volatile boolean isSaturated;

    private StalenessVictim() {}

    /**
     * Runs until the watcher closes the connection.
     *
     * @param arguments ports: watcher's slot, own slot, requests
     * @throws Exception if a port cannot be used
     */
    public static void main(String... arguments) throws Exception {
        StalenessPair pair = new StalenessPair(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        try (SharedState state = VerbsSharedState.open(pair.config(new NodeId(2)));
                ServerSocket requests =
                        new ServerSocket(Integer.parseInt(arguments[2]), 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().name("publish").start(() -> publish(state));
            new StalenessVictim().answer(requests.accept());
        }
        System.exit(0);
    }

    private static void publish(SharedState state) {
        for (long due = System.nanoTime(); ; due += PUBLISH_NANOS) {
            for (long now = System.nanoTime(); due - now > 0; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            state.publish(new LoadRecord(1, LoadRecord.Health.UP, 1, 0, 0, 0, 0, System.nanoTime(), 0));
        }
    }

    private void answer(Socket watcher) throws Exception {
        watcher.setTcpNoDelay(true);
        try (watcher) {
            DataInputStream in = new DataInputStream(watcher.getInputStream());
            DataOutputStream out = new DataOutputStream(watcher.getOutputStream());
            for (int request = in.read(); request >= 0; request = in.read()) {
                switch (request) {
                    case ASK_DIRECTLY -> out.writeLong(System.nanoTime());
                    case ASK_SERVER -> {
                        Future<Long> figure = server.submit(System::nanoTime);
                        out.writeLong(figure.get());
                    }
                    case SATURATE -> saturate();
                    case REST -> {
                        rest();
                        out.writeLong(System.nanoTime());
                    }
                    default -> throw new IOException("request " + request);
                }
            }
        }
    }

    /** Twice as many requests as workers: those that wait, wait for a whole round. */
    private void saturate() {
        isSaturated = true;
        for (int i = 0; i < 2 * WORKERS; i++) {
            queued.incrementAndGet();
            server.execute(this::serveAgainAndAgain);
        }
    }

    private void rest() {
        isSaturated = false;
        while (queued.get() > 0) {
            LockSupport.parkNanos(WORK_NANOS);
        }
    }

    private void serveAgainAndAgain() {
        long end = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        if (isSaturated) {
            server.execute(this::serveAgainAndAgain);
        } else {
            queued.decrementAndGet();
        }
    }
}
