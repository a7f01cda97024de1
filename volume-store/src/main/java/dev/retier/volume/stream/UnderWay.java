package dev.retier.volume.stream;

import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Task;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Some requests of a volume that are under way together, each with memory of its own. Used by one thread. */
final class UnderWay {
    /** Of one of them: a cluster of the server's, and as much as a request carries. */
    static final int BYTES = 64 << 10;

    private static final int MOST = 32;

    private final Volume volume;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private final Deque<Begun> begun = new ArrayDeque<>();

    private record Begun(ByteBuffer memory, CompletableFuture<@Nullable IOException> end, Then then) {}

    /** What is done with the memory of one that has ended. */
    interface Then {
        void take(ByteBuffer memory) throws IOException;
    }

    UnderWay(Volume volume) {
        this.volume = volume;
        for (int i = 0; i < MOST; i++) {
            free.add(ByteBuffer.allocateDirect(BYTES));
        }
    }

    /** Memory for one more, once there is some: those that were begun first end first. */
    ByteBuffer memory() throws IOException {
        while (free.isEmpty()) {
            endOne();
        }
        return free.remove().clear();
    }

    /** Not used after all. */
    void giveBack(ByteBuffer memory) {
        free.add(memory);
    }

    /** What nobody will read again soon. */
    void read(long offset, ByteBuffer memory, Then then) throws IOException {
        begin(new Task.Read(offset, memory.duplicate(), true), memory, then);
    }

    void write(long offset, ByteBuffer memory) throws IOException {
        begin(new Task.Write(offset, memory.duplicate(), Set.of()), memory, _ -> {});
    }

    private void begin(Task task, ByteBuffer memory, Then then) throws IOException {
        CompletableFuture<@Nullable IOException> end = new CompletableFuture<>();
        volume.begin(task, end::complete);
        begun.add(new Begun(memory, end, then));
    }

    /** Something that needs no request, when its turn comes. */
    void afterwards(Then then) {
        begun.add(new Begun(ByteBuffer.allocate(0), CompletableFuture.completedFuture(null), then));
    }

    /** So many were begun that those before should end. */
    void limit() throws IOException {
        while (begun.size() > MOST * 2) {
            endOne();
        }
    }

    private void endOne() throws IOException {
        volume.go();
        Begun first = begun.remove();
        try {
            IOException failure = first.end.get();
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        first.then.take(first.memory);
        if (first.memory.capacity() > 0) {
            free.add(first.memory);
        }
    }

    /** All that was begun ends. */
    void end() throws IOException {
        while (!begun.isEmpty()) {
            endOne();
        }
    }
}
