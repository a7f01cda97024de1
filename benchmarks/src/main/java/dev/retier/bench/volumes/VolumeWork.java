package dev.retier.bench.volumes;

import dev.retier.bench.Stats;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.Pending;
import dev.retier.volume.connect.RemoteVolume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Asks a volume by the client library (cDSA), with one thread. Not thread-safe. */
final class VolumeWork {
    private final RemoteVolume volume;
    private final boolean isPostedAlone;
    private final SplittableRandom random = new SplittableRandom(1);

    /**
     * Of a volume.
     *
     * @param isPostedAlone whether it looks for answers after each request that it starts, so that each leaves alone
     */
    VolumeWork(RemoteVolume volume, boolean isPostedAlone) {
        this.volume = volume;
        this.isPostedAlone = isPostedAlone;
    }

    /** The time of each request in microseconds, one at a time. */
    Stats micros(Work work, CompletionMode mode, Duration time) throws IOException {
        volume.mode(mode);
        ByteBuffer buffer = ByteBuffer.allocateDirect(work.bytes());
        Stats micros = Stats.micros(time, () -> volume.read(place(work), buffer.clear()));
        volume.mode(CompletionMode.ADAPTIVE);
        return micros;
    }

    private long place(Work work) {
        return random.nextLong(volume.bytes() / work.bytes()) * work.bytes();
    }

    /** A request, and the memory that it has. */
    private record UnderWay(ByteBuffer memory, @Nullable Pending pending) {}

    /** Requests per second with so many under way as the work says, each begun as soon as one has ended. */
    double perSecond(Work work, Duration time) throws IOException, InterruptedException {
        ByteBuffer memory = ByteBuffer.allocateDirect(work.bytes() * work.depth());
        Deque<UnderWay> all = new ArrayDeque<>();
        for (int i = 0; i < work.depth(); i++) {
            all.addLast(new UnderWay(memory.slice(i * work.bytes(), work.bytes()), null));
        }
        long done = 0;
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < time.toNanos()) {
            for (int i = 0; i < work.depth(); i++) {
                UnderWay next = all.removeFirst();
                if (next.pending == null || next.pending.isDone()) {
                    done += next.pending == null ? 0 : 1;
                    next = new UnderWay(next.memory, begun(next, work));
                    if (isPostedAlone) {
                        var _ = volume.poll();
                    }
                }
                all.addLast(next);
            }
            var _ = volume.await(time);
        }
        double seconds = (System.nanoTime() - beganNanos) / Work.NANOS_PER_SECOND;
        for (UnderWay one : all) {
            if (one.pending != null) {
                one.pending.await();
            }
        }
        return done / seconds;
    }

    private Pending begun(UnderWay one, Work work) throws IOException {
        if (one.pending != null) {
            one.pending.await(); // it tells why, if it failed
        }
        return work.isRead()
                ? volume.startRead(place(work), one.memory)
                : volume.startWrite(place(work), Set.of(), one.memory);
    }
}
