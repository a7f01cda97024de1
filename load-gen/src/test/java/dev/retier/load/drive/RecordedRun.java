package dev.retier.load.drive;

import dev.retier.load.record.RequestFile;
import dev.retier.load.report.LoadResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run with a line for every request.
 *
 * @param result what the generator says
 * @param lines what it wrote down, in order of their due times
 */
record RecordedRun(LoadResult result, List<Line> lines) {
    private static final Pattern LINE =
            Pattern.compile("([^,]+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),([A-Z_0-9]+),(\\d+),(\\d+),([A-Z]+),(\\d+),"
                    + "([^,]*),([A-Z]+),\"(.*)\",(\\d*),(\\d*),(\\d*)");

    /** One request. Times in nanoseconds since the start of the run. */
    record Line(
            String site,
            long due,
            long own,
            long sent,
            long end,
            long latency,
            String outcome,
            int status,
            long bodyBytes,
            String target,
            String url,
            long opened,
            long first,
            long events) {
        boolean isGood() {
            return outcome.equals("GOOD");
        }

        /** Whether it opened a stream. */
        boolean isStream() {
            return opened >= 0;
        }

        /** Counts among the latencies. */
        boolean isTimed() {
            return isStream() || isGood() || outcome.equals("TIMEOUT") || outcome.equals("DROPPED");
        }
    }

    /** Runs {@code plan} to its end. */
    static RecordedRun of(LoadPlan plan, Path folder) throws InterruptedException {
        return ofAll(List.of(plan), folder).getFirst();
    }

    /** Runs {@code plans} together, into one file. */
    static List<RecordedRun> ofAll(List<LoadPlan> plans, Path folder) throws InterruptedException {
        Path file = folder.resolve("requests-" + plans.getFirst().site() + ".csv");
        List<LoadResult> results = new ArrayList<>();
        try (RequestFile requests = RequestFile.create(file)) {
            for (LoadRun run : LoadRun.startAll(plans, StartSignal.NOW, requests)) {
                results.add(run.await());
            }
        }
        List<Line> lines = read(file);
        return results.stream()
                .map(result -> new RecordedRun(
                        result,
                        lines.stream()
                                .filter(line -> line.site().equals(result.site()))
                                .toList()))
                .toList();
    }

    private static List<Line> read(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .skip(1)
                    .map(RecordedRun::line)
                    .sorted(Comparator.comparingLong(Line::due))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Line line(String text) {
        Matcher at = LINE.matcher(text);
        if (!at.matches()) {
            throw new IllegalStateException("not a line of a request: " + text);
        }
        return new Line(
                at.group(1),
                Long.parseLong(at.group(2)),
                Long.parseLong(at.group(3)),
                Long.parseLong(at.group(4)),
                Long.parseLong(at.group(5)),
                Long.parseLong(at.group(6)),
                at.group(7),
                Integer.parseInt(at.group(8)),
                Long.parseLong(at.group(9)),
                at.group(12),
                at.group(14),
                number(at.group(15)),
                number(at.group(16)),
                number(at.group(17)));
    }

    /** -1 for nothing. */
    private static long number(String text) {
        return text.isEmpty() ? -1 : Long.parseLong(text);
    }
}
