package dev.retier.volume.worlds;

import java.lang.reflect.Constructor;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The threads of a world, of which one runs at a time, in an order that the world alone decides, and its time, which
 * passes while none of them can run. They are virtual threads that the thread of the world carries; threads that they
 * start are threads of the world, too. All that makes a thread wait lets others run; what waits for a time alone must
 * do so by {@link #pause}. Each must end: Java keeps those that have not for ever, and all that they refer to.
 */
final class Threads {
    private static final String OPENING = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Later> later = new PriorityQueue<>();
    private final Thread.Builder.OfVirtual builder;
    private long nowNanos;
    private long laterCount;
    private long steps;

    /** What is done at a time; of the same time in the order in which it was asked for. */
    private record Later(long atNanos, long number, Runnable what) implements Comparable<Later> {
        @Override
        public int compareTo(Later other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    /** Of which {@code fault} hears of what no thread has caught. */
    Threads(Consumer<Throwable> fault) {
        this.builder = carriedBy(ready::add);
        builder.uncaughtExceptionHandler((_, thrown) -> fault.accept(thrown));
    }

    /** The JDK has no public way to say who carries virtual threads. */
    private static Thread.Builder.OfVirtual carriedBy(Executor carrier) {
        try {
            Constructor<?> made = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            made.setAccessible(true);
            return (Thread.Builder.OfVirtual) made.newInstance(carrier);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            throw new IllegalStateException(
                    "this JDK lets no program order its threads: start it with " + OPENING + ", and take JDK 25",
                    closed);
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    /** One that does not run yet. */
    Thread unstarted(Runnable what) {
        return builder.unstarted(what);
    }

    void start(Runnable what) {
        builder.start(what);
    }

    /** By a thread of its own after some time. */
    void after(long nanos, Runnable what) {
        later.add(new Later(nowNanos + nanos, ++laterCount, () -> start(what)));
    }

    /** Lets the calling thread of the world sleep. */
    void pause(long nanos) {
        Thread sleeper = Thread.currentThread();
        boolean[] isOver = new boolean[1];
        later.add(new Later(nowNanos + nanos, ++laterCount, () -> {
            isOver[0] = true;
            LockSupport.unpark(sleeper);
        }));
        while (!isOver[0]) {
            LockSupport.park(this);
        }
    }

    /** Lets all run that can, then time pass until something else is to be done; false if nothing is. */
    boolean step() {
        for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
            steps++;
            next.run();
        }
        Later next = later.poll();
        if (next != null) {
            nowNanos = next.atNanos;
            next.what.run();
        }
        return next != null || !ready.isEmpty();
    }

    /** How often a thread has run. */
    long steps() {
        return steps;
    }
}
