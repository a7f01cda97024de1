package dev.retier.load.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Gets histograms back out of {@link Latency} records, and adds them exactly. Stateless. */
public final class LatencyHistograms {
    private LatencyHistograms() {}

    /**
     * The whole histogram behind {@code latency}.
     *
     * @throws IllegalArgumentException when its Base64 text is damaged
     */
    public static Histogram decode(Latency latency) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(latency.histogramBase64()));
            return Histogram.decodeFromCompressedByteBuffer(bytes, Latency.HIGHEST_NANOS);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("latency histogram is damaged: " + e.getMessage(), e);
        }
    }

    /** The figures of all values of {@code latencies} together. */
    public static Latency sum(List<Latency> latencies) {
        Histogram all = Latency.newHistogram();
        latencies.forEach(latency -> all.add(decode(latency)));
        return Latency.of(all);
    }
}
