package dev.retier.bench.iwarp;

import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The matrix as tables and pictures. */
final class Charts {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double MEBIBYTE = 1 << 20;

    private Charts() {}

    /** Latency: half the round trip of what goes there and back, the whole of a read. */
    static Table latencyTable(List<Comparison> all) {
        Table table = new Table(
                "bytes",
                "operation",
                "tcp_us",
                "iwarp_us",
                "ratio",
                "ratio_from",
                "ratio_to",
                "allocated_bytes_per_operation");
        for (Comparison found : all) {
            var ratio = found.time();
            table.row(
                    found.bytes(),
                    found.operation(),
                    found.tcpMicros() / legs(found),
                    found.iwarpMicros() / legs(found),
                    ratio.median(),
                    ratio.from(),
                    ratio.to(),
                    found.allocatedBytes());
        }
        return table;
    }

    /** Bandwidth, and how it compares. */
    static Table bandwidthTable(List<Comparison> all) {
        Table table = new Table(
                "bytes",
                "operation",
                "tcp_mib_per_second",
                "iwarp_mib_per_second",
                "ratio",
                "ratio_from",
                "ratio_to",
                "allocated_bytes_per_operation");
        for (Comparison found : all) {
            var ratio = found.throughput();
            table.row(
                    found.bytes(),
                    found.operation(),
                    mebibytes(found.bytes(), found.tcpMicros()),
                    mebibytes(found.bytes(), found.iwarpMicros()),
                    ratio.median(),
                    ratio.from(),
                    ratio.to(),
                    found.allocatedBytes());
        }
        return table;
    }

    /** Latency by size, TCP's half round trip beside every operation. */
    static Plot latencyPlot(String title, List<Comparison> all) {
        return plot(title, "us", all, found -> found.tcpMicros() / 2, found -> found.iwarpMicros() / legs(found));
    }

    /** Bandwidth by size. */
    static Plot bandwidthPlot(String title, List<Comparison> all) {
        return plot(
                title,
                "MiB/s",
                all,
                found -> mebibytes(found.bytes(), found.tcpMicros()),
                found -> mebibytes(found.bytes(), found.iwarpMicros()));
    }

    private static Plot plot(
            String title,
            String unit,
            List<Comparison> all,
            ToDoubleFunction<Comparison> tcp,
            ToDoubleFunction<Comparison> iwarp) {
        Map<String, List<Plot.Point>> lines = new LinkedHashMap<>();
        lines.put("TCP", new ArrayList<>());
        for (Comparison found : all) {
            lines.computeIfAbsent(found.operation(), _ -> new ArrayList<>())
                    .add(new Plot.Point(found.bytes(), iwarp.applyAsDouble(found)));
            if (found.operation().equals("send")) {
                lines.get("TCP").add(new Plot.Point(found.bytes(), tcp.applyAsDouble(found)));
            }
        }
        List<Plot.Series> series = new ArrayList<>();
        lines.forEach((name, points) ->
                series.add(new Plot.Series(name, Plot.Series.style(series.size()), Plot.Shape.LINE, points)));
        double least = values(lines).min().orElse(1);
        double most = values(lines).max().orElse(10);
        double largest = all.stream().mapToInt(Comparison::bytes).max().orElse(10);
        return Plot.of(title, Axis.log("bytes", 1, largest), Axis.log(unit, least, most), series);
    }

    private static java.util.stream.DoubleStream values(Map<String, List<Plot.Point>> lines) {
        return lines.values().stream().flatMap(List::stream).mapToDouble(Plot.Point::y);
    }

    private static int legs(Comparison found) {
        return found.operation().equals("read") ? 1 : 2;
    }

    /** MiB/s of operations that take so long each. */
    static double mebibytes(int bytes, double micros) {
        return bytes / MEBIBYTE * MICROS_PER_SECOND / micros;
    }
}
