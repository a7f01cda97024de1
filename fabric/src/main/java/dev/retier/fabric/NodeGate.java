package dev.retier.fabric;

import dev.retier.fabric.calls.Gate;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The one gate through which all operations of a node go, to whatever peer. Thread-safe. */
final class NodeGate implements Gate {
    /** Long enough to bridge the gap between two operations of one busy thread. */
    static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Enough that low priority goes on, too little to be in the way: two answers of a ring's body each. */
    private static final int LOW_WHILE_BUSY = 2;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final PriorityGate gate = new PriorityGate(LOW_WHILE_BUSY, BUSY_NANOS);

    @Override
    public boolean tryBegin(Priority priority, long nowNanos) {
        lock.lock();
        try {
            return gate.tryBegin(priority, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(Priority priority, long nowNanos) {
        lock.lock();
        try {
            gate.end(priority, nowNanos);
        } finally {
            lock.unlock();
        }
    }
}
