package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import dev.retier.volume.connect.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Many volumes and clients for a day of recorded time, all volumes together; then the server is killed with a long
 * journal, some times. Needs root. Not thread-safe.
 */
final class VolumesDay {
    private static final int KILLS = 3;
    private static final int PROVEN_BLOCKS = 64;
    /** Beside what volumes may hold: journal, recording, checksums. */
    private static final long SPARE_BYTES = 6L << 30;

    private static final double GIB = 1 << 30;
    private static final double MOST_SECONDS_PER_GIB = 2;
    /** With less the start's own noise is more than what is looked for. */
    private static final double LEAST_GIB = 0.25;

    private static final double NEARLY = 0.95;
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Shape shape;
    private final Path folder;
    private final Results results;
    private final DayClient.Counts counts = new DayClient.Counts();
    private final List<DayClient> clients = new ArrayList<>();
    private final ExecutorService threads;

    /**
     * How much of it.
     *
     * @param volumeBytes of each volume
     * @param recorded of pgbench, at the least
     * @param day recorded time that is replayed, of all volumes together
     * @param sample from one look at memory to the next
     * @param fill for how long the journal may become longer before a kill
     */
    record Shape(
            int volumes,
            int clients,
            long volumeBytes,
            Duration recorded,
            Duration day,
            Duration sample,
            Duration fill) {
        static final Shape FULL = new Shape(
                1000,
                64,
                16L << 20,
                Duration.ofMinutes(3),
                Duration.ofHours(24),
                Duration.ofSeconds(5),
                Duration.ofSeconds(90));
        static final Shape QUICK = new Shape(
                64,
                8,
                4L << 20,
                Duration.ofSeconds(8),
                Duration.ofMinutes(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3));

        long microsPerVolume() {
            return TimeUnit.NANOSECONDS.toMicros(day.toNanos()) / volumes;
        }
    }

    VolumesDay(Shape shape, Path folder, Results results) {
        this.shape = shape;
        this.folder = folder;
        this.results = results;
        this.threads = Executors.newFixedThreadPool(
                shape.clients, Thread.ofPlatform().name("day-", 1).daemon().factory());
    }

    /** All of it. */
    void run() throws IOException, InterruptedException {
        requireAll();
        DayTrace trace = DayRecording.make(folder, shape.recorded);
        try (Store store = Store.start(folder.resolve("store"));
                TableReader table = store.reader();
                Closing toEnd = new Closing()) {
            toEnd.add(threads::shutdownNow);
            makeVolumes(store, trace, toEnd);
            DaySamples samples = new DaySamples(
                    store.pid(),
                    table,
                    counts,
                    () -> clients.stream().mapToLong(DayClient::keptBytes).sum());
            replay(trace, samples);
            recover(store, samples);
        }
    }

    private void requireAll() throws IOException {
        Optional<String> missing = DatabaseRows.missing();
        if (missing.isPresent()) {
            throw new IllegalArgumentException("--day needs " + missing.get() + ", which is not here");
        }
        long wanted = shape.volumes * shape.volumeBytes + SPARE_BYTES;
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < wanted) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "--day needs %.0f GiB of room in %s, which has %.1f: make room there",
                    Math.ceil(wanted / GIB),
                    folder.getParent(),
                    free / GIB));
        }
    }

    private void makeVolumes(Store store, DayTrace trace, Closing toEnd) throws IOException, InterruptedException {
        Progress.tell("making " + shape.volumes + " volumes, and taking them by " + shape.clients + " clients ...");
        for (int i = 0; i < shape.clients; i++) {
            clients.add(toEnd.add(new DayClient(store.client(), trace, counts)));
        }
        ofAll(number -> {
            for (int volume = number; volume < shape.volumes; volume += shape.clients) {
                clients.get(number).add(volume, shape.volumeBytes, trace.place(volume, shape.volumes));
            }
        });
    }

    /** What one of the clients does, by its number. */
    private interface Work {
        void of(int number) throws IOException;
    }

    private List<Future<?>> begin(Work work) {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < shape.clients; i++) {
            int number = i;
            all.add(threads.submit(() -> {
                work.of(number);
                return number;
            }));
        }
        return all;
    }

    private void ofAll(Work work) throws IOException, InterruptedException {
        end(begin(work));
    }

    private static void end(List<Future<?>> all) throws IOException, InterruptedException {
        for (Future<?> one : all) {
            boolean _ = hasEnded(one, Duration.ofDays(1));
        }
    }

    /** Whether it has ended, well, within that time. */
    private static boolean hasEnded(Future<?> one, Duration most) throws IOException, InterruptedException {
        try {
            var _ = one.get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException goesOn) {
            return false;
        } catch (ExecutionException failed) {
            throw new IOException("a client failed: " + failed.getMessage(), failed);
        }
    }

    private void replay(DayTrace trace, DaySamples samples) throws IOException, InterruptedException {
        long beganNanos = System.nanoTime();
        List<Future<?>> all = begin(number -> clients.get(number).replay(shape.microsPerVolume(), () -> false));
        for (Future<?> one : all) {
            while (!hasEnded(one, shape.sample)) {
                samples.take();
            }
        }
        double seconds = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
        long requests = counts.requests().sum();
        Table table = new Table("volumes", "clients", "replayed_hours", "requests", "minutes", "requests_per_second");
        table.row(
                shape.volumes,
                shape.clients,
                Math.round(100.0 * counts.micros().sum() / TimeUnit.HOURS.toMicros(1)) / 100.0,
                requests,
                Math.round(10 * seconds / TimeUnit.MINUTES.toSeconds(1)) / 10.0,
                Math.round(requests / seconds));
        results.heading("The day").table("day", table);
        results.note(about(trace));
        results.heading("Memory");
        samples.tell(results);
    }

    private String about(DayTrace trace) {
        return String.format(
                Locale.ROOT,
                "One server with the defaults that it ships with, %d volumes of %d MiB, and %d clients of"
                        + " the library, all in one other process on the same machine, over software iWARP."
                        + " Recorded by `retier volume trace`: PostgreSQL on `volume mount`, pgbench (scale 1, %d"
                        + " clients, %d transactions/s) and then one VACUUM FULL, %d requests in %.0f s. That is"
                        + " repeated without a pause, and each volume begins at a place of its own (evenly spread)."
                        + " What adds up to %.1f h is the recorded time that was replayed of all volumes together,"
                        + " %.1f s of each; a client replays 2 s of one of its volumes, then of the next, as fast"
                        + " as the server answers, with up to 16 requests under way and none beside a flush or a"
                        + " read. Requests are as recorded, but for the offset, which is modulo the volume's size,"
                        + " and what reaches beyond its end.",
                shape.volumes,
                shape.volumeBytes >> 20,
                shape.clients,
                DayRecording.CLIENTS,
                DayRecording.PER_SECOND,
                trace.count(),
                trace.length().toMillis() / 1e3,
                shape.day.toMinutes() / 60.0,
                shape.microsPerVolume() / 1e6);
    }

    private void recover(Store store, DaySamples samples) throws IOException, InterruptedException {
        Table rows = new Table("kill", "journal_gib", "start_s", "start_empty_s", "s_per_gib");
        Stats perGib = new Stats();
        Stats journals = new Stats();
        try (Store empty = Store.start(folder.resolve("empty"))) {
            for (int kill = 1; kill <= KILLS; kill++) {
                AtomicBoolean isOver = new AtomicBoolean();
                List<Future<?>> all = begin(number -> clients.get(number).replay(Long.MAX_VALUE, isOver::get));
                awaitJournal(store, all.getFirst(), (long) (NEARLY * samples.longestJournal()));
                store.kill();
                double journal = store.journalBytes() / GIB;
                empty.kill();
                double least = seconds(empty.revive());
                double start = seconds(store.revive());
                isOver.set(true);
                end(all);
                int seed = kill;
                ofAll(number -> clients.get(number).prove(PROVEN_BLOCKS, seed));
                perGib.add((start - least) / journal);
                journals.add(journal);
                rows.row(kill, journal, start, least, (start - least) / journal);
                Progress.tell(String.format(
                        Locale.ROOT,
                        "kill %d: %.2f GiB of journal, %.2f s, %.2f s empty",
                        kill,
                        journal,
                        start,
                        least));
            }
        }
        results.heading("Recovery").table("recovery", rows);
        String verdict = journals.median() < LEAST_GIB
                ? "undecided, as the journal was too short"
                : Results.verdict(perGib.median() <= MOST_SECONDS_PER_GIB);
        results.note(String.format(
                Locale.ROOT,
                "The replay goes on, the server is killed (SIGKILL) with as long a journal as was seen before, and"
                        + " started: from its process's start until it serves, beside a server of an empty pool just"
                        + " before. Journal: the bytes of its files, which the kernel's memory still has. Clients go on"
                        + " by themselves. Target: at most 2 s per GiB of journal, median %.2f: %s.",
                perGib.median(),
                verdict));
        results.note(counts.proven().sum() + " blocks were read, in the day and after each kill (" + PROVEN_BLOCKS
                + " of each volume, drawn by chance), and each was what was written to it last.");
    }

    private static double seconds(Duration time) {
        return time.toNanos() / NANOS_PER_SECOND;
    }

    /** Waits until the journal is so long, or long enough. */
    private void awaitJournal(Store store, Future<?> replay, long bytes) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + shape.fill.toNanos();
        while (store.journalBytes() < bytes && System.nanoTime() - endNanos < 0 && !hasEnded(replay, LOOK)) {
            // It looks again.
        }
    }
}
