package dev.retier.load.trace;

import java.util.ArrayList;
import java.util.List;

/** Grows into a {@link ReadReport}. One thread. */
final class ReadCounters {
    private final List<String> samples = new ArrayList<>();
    private long events;
    private long bad;
    private long notReplayed;
    private long outOfOrder;
    private int truncatedTailBytes;

    void event() {
        events++;
    }

    void notReplayed() {
        notReplayed++;
    }

    void outOfOrder() {
        outOfOrder++;
    }

    void bad(String sample) {
        bad++;
        sample(sample);
    }

    void truncatedTail(int bytes, String sample) {
        truncatedTailBytes = bytes;
        sample(sample);
    }

    long read() {
        return events + bad + notReplayed;
    }

    boolean wantsSample() {
        return samples.size() < ReadReport.MAX_SAMPLES;
    }

    ReadReport report() {
        return new ReadReport(read(), events, bad, notReplayed, outOfOrder, truncatedTailBytes, samples);
    }

    private void sample(String sample) {
        if (wantsSample()) {
            samples.add(sample);
        }
    }
}
