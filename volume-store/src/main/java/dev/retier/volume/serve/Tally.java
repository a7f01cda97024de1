package dev.retier.volume.serve;

import dev.retier.link.Counters;
import dev.retier.link.Metric;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Counts what a server does. Thread-safe. */
final class Tally {
    private final Counters counters = new Counters(List.of(VolumeMetric.values()));
    private final ServerListener listener;

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
        } else if (operation == Operation.WRITE) {
            counters.count(VolumeMetric.WRITTEN_BYTES, request.length());
        }
        listener.answered(operation, Duration.ofNanos(tookNanos));
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
