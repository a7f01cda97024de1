package dev.retier.bench.volumes;

import dev.retier.bench.ProcessFigures;
import dev.retier.bench.Progress;
import dev.retier.bench.Results;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.volume.connect.TableReader;
import dev.retier.volume.table.VolumeTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** How server and clients are, each few seconds. Not thread-safe. */
final class DaySamples {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final double MIB = 1 << 20;
    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double HOUR_MICROS = TimeUnit.HOURS.toMicros(1);

    private final long serverPid;
    private final TableReader table;
    private final DayClient.Counts counts;
    private final LongSupplier kept;
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final long beganNanos = System.nanoTime();
    private final List<Sample> all = new ArrayList<>();
    private long requestsBefore;
    private long beforeNanos = beganNanos;

    /**
     * Memory in MiB.
     *
     * @param heapMib of the clients, after a collection, without what they keep
     * @param keptMib what these keep until it is flushed
     */
    private record Sample(
            double minutes,
            double serverMib,
            double clientsMib,
            double heapMib,
            double keptMib,
            double perSecond,
            double journalMib,
            double usedMib) {}

    /**
     * None yet.
     *
     * @param kept bytes that the clients keep until they are flushed
     */
    DaySamples(long serverPid, TableReader table, DayClient.Counts counts, LongSupplier kept) {
        this.kept = kept;
        this.serverPid = serverPid;
        this.table = table;
        this.counts = counts;
    }

    /** What the server says of its pool; empty if it cannot be asked now. */
    private Optional<VolumeTable.Room> room() {
        return table.read(PATIENCE) instanceof TableReader.Outcome.Read(VolumeTable read)
                ? Optional.of(read.room())
                : Optional.empty();
    }

    /** One more, where the server's table can be read; tells of it. */
    void take() throws IOException {
        Optional<VolumeTable.Room> room = room();
        if (room.isEmpty()) {
            Progress.tell("no sample: the server's table could not be read");
            return;
        }
        memory.gc(); // what nobody needs any more would count by how much memory Java was given
        double keptMib = kept.getAsLong() / MIB;
        long now = System.nanoTime();
        long requests = counts.requests().sum();
        Sample sample = new Sample(
                (now - beganNanos) / SECOND_NANOS / TimeUnit.MINUTES.toSeconds(1),
                ProcessFigures.of(serverPid).residentMebibytes(),
                ProcessFigures.of(ProcessHandle.current().pid()).residentMebibytes(),
                memory.getHeapMemoryUsage().getUsed() / MIB - keptMib,
                keptMib,
                (requests - requestsBefore) / ((now - beforeNanos) / SECOND_NANOS),
                room.get().journalBytes() / MIB,
                room.get().usedBytes() / MIB);
        requestsBefore = requests;
        beforeNanos = now;
        all.add(sample);
        Progress.tell(String.format(
                Locale.ROOT,
                "%5.1f min: %5.2f h replayed, %.0f requests/s, server %.0f MiB, clients %.0f MiB"
                        + " (heap %.0f, kept %.0f), journal %.0f MiB, used %.0f MiB",
                sample.minutes,
                counts.micros().sum() / HOUR_MICROS,
                sample.perSecond,
                sample.serverMib,
                sample.clientsMib,
                sample.heapMib,
                sample.keptMib,
                sample.journalMib,
                sample.usedMib));
    }

    /** The longest journal that was seen, in bytes. */
    long longestJournal() {
        return (long) (MIB * most(Sample::journalMib));
    }

    private double most(ToDoubleFunction<Sample> figure) {
        return all.stream().mapToDouble(figure).max().orElse(0);
    }

    /** Brings all of them to {@code results}. */
    void tell(Results results) {
        Table table = new Table("figure", "first_third", "middle_third", "last_third", "last_by_middle", "flat");
        row(table, "server, VmRSS, MiB", Sample::serverMib, true);
        row(table, "clients, VmRSS, MiB", Sample::clientsMib, true);
        row(table, "clients, heap without what is kept, MiB", Sample::heapMib, true);
        row(table, "clients, kept until it is flushed, MiB", Sample::keptMib, false);
        row(table, "requests/s", Sample::perSecond, false);
        row(table, "journal, MiB", Sample::journalMib, false);
        row(table, "used by volumes, MiB", Sample::usedMib, false);
        results.table("memory", table);
        results.note("Medians of the thirds of " + all.size() + " samples. Memory is flat when the last third's is at"
                + " most 1.1 of the middle one's. Clients keep what was answered and not flushed, so that it can be"
                + " sent again (of each volume up to 64 MiB), which comes and goes with the recording; their heap is"
                + " looked at after a collection. What volumes use grows as more of their blocks have been written.");
        results.plot(plot(
                "Memory",
                List.of(
                        line("server", "a", Sample::serverMib),
                        line("clients", "b", Sample::clientsMib),
                        line("clients' heap without what is kept", "c", Sample::heapMib),
                        line("kept until it is flushed", "d", Sample::keptMib))));
        results.plot(plot("Journal", List.of(line("journal", "d", Sample::journalMib))));
        results.plot(plot("Used by volumes", List.of(line("used", "e", Sample::usedMib))));
        results.plot(plot("Requests", "requests/s", List.of(line("requests", "f", Sample::perSecond))));
    }

    private void row(Table table, String name, ToDoubleFunction<Sample> figure, boolean isMemory) {
        Flatness flat = Flatness.of(all.stream().map(figure::applyAsDouble).toList());
        table.row(
                name,
                Math.round(flat.first()),
                Math.round(flat.middle()),
                Math.round(flat.last()),
                flat.growth(),
                isMemory ? Results.verdict(flat.isFlat()) : "-");
    }

    private Plot plot(String title, List<Plot.Series> lines) {
        return plot(title, "MiB", lines);
    }

    private Plot plot(String title, String unit, List<Plot.Series> lines) {
        double highest = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Plot.Point::y)
                .max()
                .orElse(0);
        return Plot.of(
                title,
                Axis.linear("min", Math.max(most(Sample::minutes), 1e-3)),
                Axis.linear(unit, Math.max(1.05 * highest, 1)),
                lines);
    }

    private Plot.Series line(String name, String style, ToDoubleFunction<Sample> figure) {
        List<Plot.Point> points = all.stream()
                .map(sample -> new Plot.Point(sample.minutes, figure.applyAsDouble(sample)))
                .toList();
        return new Plot.Series(name, style, Plot.Shape.LINE, points);
    }
}
