package dev.retier.load.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
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
        return decode(latency.histogramBase64());
    }

    static Histogram decode(String base64) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            return Histogram.decodeFromCompressedByteBuffer(bytes, Latency.HIGHEST_NANOS);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("latency histogram is damaged: " + e.getMessage(), e);
        }
    }

    /** HdrHistogram's compressed V2 form in Base64. */
    static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /** The figures of all values of {@code latencies} together. */
    public static Latency sum(List<Latency> latencies) {
        Histogram all = Latency.newHistogram();
        latencies.forEach(latency -> all.add(decode(latency)));
        return Latency.of(all);
    }
}
