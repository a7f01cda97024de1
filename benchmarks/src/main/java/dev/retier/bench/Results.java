package dev.retier.bench;

import dev.retier.report.Chart;
import dev.retier.report.HtmlPage;
import dev.retier.report.OutputFormat;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What one measurement found, in the order it was found: printed as it comes, and kept on demand as a text to read
 * ({@code NAME.md}), a page to look at ({@code NAME.html}) and one CSV file per table. Both tell the facts of the
 * machine and the commit. Not thread-safe.
 */
public final class Results {
    private final String name;
    private final String title;
    private final String command;
    private final MachineFacts machine = MachineFacts.read();
    private final Interference before = Interference.now();
    private final List<Part> parts = new ArrayList<>();

    private sealed interface Part {}

    private record Heading(String text) implements Part {}

    private record Note(String text) implements Part {}

    private record Rows(String fileName, Table table) implements Part {}

    private record Picture(Plot plot) implements Part {}

    /**
     * Reads the machine's facts, so begin before the load does.
     *
     * @param name of the files, such as {@code iwarp}
     * @param title what was measured
     * @param command that repeats it
     */
    public Results(String name, String title, String command) {
        this.name = name;
        this.title = title;
        this.command = command;
    }

    /** Begins a section. */
    public Results heading(String text) {
        IO.println("\n" + text);
        parts.add(new Heading(text));
        return this;
    }

    /** Adds a paragraph: what was done, what the figures say, what stands in the way. */
    public Results note(String text) {
        IO.println(text);
        parts.add(new Note(text));
        return this;
    }

    /** Adds a table, kept as {@code NAME-fileName.csv} too. */
    public Results table(String fileName, Table table) {
        IO.print(table.format(OutputFormat.TABLE));
        parts.add(new Rows(fileName, table));
        return this;
    }

    /** Adds a chart, which the page to look at shows. */
    public Results chart(Chart chart) {
        return plot(chart.plot());
    }

    /** Adds a chart with axes of any kind, which the page to look at shows. */
    public Results plot(Plot plot) {
        parts.add(new Picture(plot));
        return this;
    }

    /**
     * Writes all files into {@code directory}, which is made if need be; files of an earlier run are replaced.
     *
     * @throws IOException if one cannot be written
     */
    public void record(Path directory) throws IOException {
        Table facts = machine.table(before.since());
        Files.createDirectories(directory);
        String when = Instant.now().truncatedTo(ChronoUnit.MINUTES).toString();
        for (Part part : parts) {
            if (part instanceof Rows(String fileName, Table table)) {
                Files.writeString(directory.resolve(name + "-" + fileName + ".csv"), table.format(OutputFormat.CSV));
            }
        }
        Files.writeString(directory.resolve(name + ".md"), markdown(when, facts));
        Files.writeString(directory.resolve(name + ".html"), page(when, facts));
        IO.println("\nKept: " + directory.resolve(name + ".md") + ", .html and .csv");
    }

    private String markdown(String when, Table facts) {
        StringBuilder text = new StringBuilder("# " + title + "\n\n`" + command + "`, " + when + "\n");
        parts.forEach(part -> text.append(
                switch (part) {
                    case Heading(String heading) -> "\n## " + heading + "\n";
                    case Note(String note) -> "\n" + note + "\n";
                    case Rows rows -> "\n" + markdown(rows.table());
                    case Picture(Plot plot) -> "\nChart: " + plot.title() + " (" + name + ".html)\n";
                }));
        return text + "\n## Machine\n\n" + markdown(facts);
    }

    private static String markdown(Table table) {
        StringBuilder text = new StringBuilder();
        List<List<String>> rows = table.cells();
        for (int index = 0; index < rows.size(); index++) {
            text.append("| ").append(String.join(" | ", rows.get(index))).append(" |\n");
            if (index == 0) {
                text.append("|---".repeat(rows.getFirst().size())).append("|\n");
            }
        }
        return text.toString();
    }

    private String page(String when, Table facts) {
        HtmlPage page = new HtmlPage(title).paragraph("dim", command + ", " + when);
        for (Part part : parts) {
            switch (part) {
                case Heading(String heading) -> page.heading(heading);
                case Note(String note) -> page.paragraph("", note);
                case Rows rows -> page.table(rows.table().cells());
                case Picture(Plot plot) -> page.plot(plot);
            }
        }
        return page.heading("Machine").table(facts.cells()).html();
    }
}
