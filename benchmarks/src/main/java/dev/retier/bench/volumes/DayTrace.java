package dev.retier.bench.volumes;

import dev.retier.sim.blocks.BlockRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Recorded requests, repeated one time behind the other for as long as it takes. Immutable. */
final class DayTrace {
    private static final long NANOS_PER_MICRO = 1000;

    /** By their time. */
    private final List<BlockRequest> requests;

    private final long micros;

    /** Refuses less than one request with {@link IllegalArgumentException}. */
    DayTrace(List<BlockRequest> recorded) {
        if (recorded.isEmpty()) {
            throw new IllegalArgumentException("nothing was recorded: nobody has used the volume meanwhile");
        }
        this.requests = recorded.stream()
                .sorted(Comparator.comparingLong(BlockRequest::micros))
                .toList();
        this.micros = requests.getLast().micros() + 1;
    }

    /** What {@code retier volume trace} has written. */
    static DayTrace read(Path file) throws IOException {
        List<BlockRequest> all = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                BlockRequest.ofLine(line, String.valueOf(file), number).ifPresent(all::add);
                number++;
            }
        }
        return new DayTrace(all);
    }

    /** From the beginning of the recording to its last request. */
    Duration length() {
        return Duration.ofNanos(NANOS_PER_MICRO * micros);
    }

    /** How many were recorded. */
    int count() {
        return requests.size();
    }

    /** Bytes of the longest that carries data. */
    int mostBytes() {
        return requests.stream()
                .filter(request -> switch (request.operation()) {
                    case READ, WRITE -> true;
                    default -> false;
                })
                .mapToInt(request -> Math.toIntExact(request.length()))
                .max()
                .orElse(0);
    }

    /** Where one of so many begins, by its number from 0, in microseconds: evenly spread over the recording. */
    long place(int number, int all) {
        return number * micros / all;
    }

    /**
     * Those whose time comes from {@code from} on and before {@code until}, in microseconds since the first repetition
     * began.
     */
    List<BlockRequest> between(long from, long until) {
        List<BlockRequest> found = new ArrayList<>();
        for (long at = from; at < until; ) {
            long began = at - at % micros;
            long end = Math.min(until, began + micros);
            found.addAll(requests.subList(index(at - began), index(end - began)));
            at = end;
        }
        return found;
    }

    /** Of the first one that is not before that time. */
    private int index(long time) {
        int low = 0;
        int high = requests.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (requests.get(middle).micros() < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
