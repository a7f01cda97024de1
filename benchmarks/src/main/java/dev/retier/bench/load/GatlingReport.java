package dev.retier.bench.load;

import java.io.IOException;
import java.util.Locale;

/** Reads what Gatling prints in the end: lines of a name and three figures, of all requests, the good and the bad. */
final class GatlingReport {
    private GatlingReport() {}

    /**
     * The figures of all requests.
     *
     * @throws IOException if one is missing
     */
    static FrozenBench.Said read(String output) throws IOException {
        return new FrozenBench.Said(
                (long) figure(output, "request count", 1),
                (long) figure(output, "request count", 3),
                figure(output, "response time 50th percentile (ms)", 1),
                figure(output, "response time 99th percentile (ms)", 1),
                figure(output, "max response time (ms)", 1));
    }

    private static double figure(String output, String name, int column) throws IOException {
        String[] cells = output.lines()
                .filter(line -> line.startsWith("> " + name + " "))
                .findFirst()
                .orElseThrow(() -> new IOException("Gatling did not print \"" + name + "\":\n" + output))
                .split("\\|", -1);
        String cell = cells[column].strip().replace(",", "").toLowerCase(Locale.ROOT);
        return cell.equals("-") ? 0 : Double.parseDouble(cell);
    }
}
