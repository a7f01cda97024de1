package dev.retier.traces;

import java.util.ArrayList;
import java.util.List;

/** Grows into a {@link ReadReport}. Thread-safe: one reads, anyone may ask how it goes. */
final class ReadCounters {
    private final List<String> samples = new ArrayList<>();
    private long events;
    private long bad;
    private long notReplayed;
    private long outOfOrder;
    private int truncatedTailBytes;

    synchronized void event() {
        events++;
    }

    synchronized void notReplayed() {
        notReplayed++;
    }

    synchronized void outOfOrder() {
        outOfOrder++;
    }

    synchronized void bad(String sample) {
        bad++;
        sample(sample);
    }

    synchronized void truncatedTail(int bytes, String sample) {
        truncatedTailBytes = bytes;
        sample(sample);
    }

    synchronized long read() {
        return events + bad + notReplayed;
    }

    synchronized boolean wantsSample() {
        return samples.size() < ReadReport.MAX_SAMPLES;
    }

    synchronized ReadReport report() {
        return new ReadReport(read(), events, bad, notReplayed, outOfOrder, truncatedTailBytes, samples);
    }

    private void sample(String sample) {
        if (wantsSample()) {
            samples.add(sample);
        }
    }
}
