package dev.retier.volume.serve;

import dev.retier.link.Counters;
import dev.retier.link.Metric;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what a server does. Thread-safe. */
final class Tally {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);

    private final Counters counters = new Counters(List.of(VolumeMetric.values()));
    private final ServerListener listener;
    private final Map<Integer, Volume> volumes = new ConcurrentHashMap<>();

    /** One at least if something has become of volumes that is to be told at once. */
    private final Semaphore news = new Semaphore(0);

    private static final class Volume {
        final LongAdder requests = new LongAdder();
        final LongAdder bytes = new LongAdder();
        final Damage damage = new Damage();
    }

    /** What was asked of a volume: reads and writes that were done, and their data. */
    record Use(long requests, long bytes) {
        static final Use NONE = new Use(0, 0);
    }

    Tally(ServerListener listener) {
        this.listener = listener;
    }

    void count(Metric metric) {
        counters.count(metric);
    }

    /** A request was answered, with so many bytes of data; it was its turn so long ago. */
    void answered(Request request, Status status, int dataBytes, long tookNanos) {
        Operation operation = request.operation();
        if (status != Status.DONE) {
            counters.count(VolumeMetric.REFUSED);
            if (status == Status.FENCED) {
                counters.count(VolumeMetric.FENCED);
            }
        } else if (operation == Operation.READ) {
            counters.count(VolumeMetric.READ_BYTES, dataBytes);
            used(request.volume(), dataBytes);
        } else if (operation == Operation.WRITE) {
            counters.count(VolumeMetric.WRITTEN_BYTES, request.length());
            used(request.volume(), request.length());
        }
        if (status == Status.DONE && operation.isOfCatalogue()) {
            news();
        }
        listener.answered(operation, Duration.ofNanos(tookNanos));
    }

    /** There is something to be told at once. */
    void news() {
        news.release();
    }

    /** Waits until there is, or so long. */
    void awaitNews(long nanos) throws InterruptedException {
        boolean _ = news.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        int _ = news.drainPermits();
    }

    private void used(int volume, int dataBytes) {
        Volume one = volume(volume);
        one.requests.increment();
        one.bytes.add(dataBytes);
    }

    private Volume volume(int volume) {
        return volumes.computeIfAbsent(volume, _ -> new Volume());
    }

    /** Somebody wanted to read that block of the volume, and it is not what was written, or cannot be read. */
    void damaged(int volume, long block) {
        counters.count(VolumeMetric.CHECKSUM_ERRORS_ON_DISK);
        broken(volume, block);
    }

    private void broken(int volume, long block) {
        if (volume(volume).damage.found(block)) {
            LOG.error(
                    "block {} of volume {} is not what was written, or cannot be read: who reads it is told so",
                    block,
                    volume);
        }
    }

    /** So much of a volume was read and proven, but for these blocks, which are not what was written. */
    void scrubbed(int volume, long bytes, List<Long> broken) {
        counters.count(VolumeMetric.SCRUBBED_BYTES, bytes);
        counters.count(VolumeMetric.SCRUBBED_BROKEN, broken.size());
        broken.forEach(block -> broken(volume, block));
    }

    /** What is known of blocks of a volume that are not what was written. */
    Damage damage(int volume) {
        return volume(volume).damage;
    }

    /**
     * What was asked so far of each volume and snapshot of those that are there; others are gone, and none will have
     * their numbers.
     */
    Map<Integer, Use> uses(Set<Integer> there) {
        Map<Integer, Use> all = new HashMap<>();
        volumes.keySet().retainAll(there);
        volumes.forEach((volume, one) -> all.put(volume, new Use(one.requests.sum(), one.bytes.sum())));
        return all;
    }

    /** So many flushes were answered by one force. */
    void forced(int flushes) {
        counters.count(VolumeMetric.FORCES);
        counters.count(VolumeMetric.FORCED_FLUSHES, flushes);
    }

    /** A client has waited so long. */
    void quiesced(long waitedNanos) {
        listener.quiesced(Duration.ofNanos(waitedNanos));
    }

    Map<Metric, Long> counted() {
        return counters.counted();
    }
}
