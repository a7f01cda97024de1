package dev.retier.bench;

import dev.retier.report.HtmlPage;
import dev.retier.report.OutputFormat;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.report.TableDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What one measurement found, in the order it was found: printed as it comes for people, or at the end as one document
 * for programs; kept on demand as a text to read ({@code NAME.md}) and, where a chart is in it, as a page to look at
 * ({@code NAME.html}). All of these tell the facts of the machine and the commit. Not thread-safe.
 */
public final class Results {
    private final About about;
    private final OutputFormat format;
    private final PrintWriter out;
    private final QuietRounds rounds;
    private final MachineFacts machine = MachineFacts.read();
    private final Interference before = Interference.now();
    private final List<Part> parts = new ArrayList<>();

    private sealed interface Part {}

    private record Heading(String text) implements Part {}

    private record Note(String text) implements Part {}

    private record Rows(String key, Table table) implements Part {}

    private record Picture(Plot plot) implements Part {}

    /**
     * What was measured.
     *
     * @param name of the files, such as {@code iwarp}
     * @param title a line for people
     * @param command that repeats it
     */
    record About(String name, String title, String command) {}

    /** Reads the machine's facts, so begin before the load does. */
    Results(About about, OutputFormat format, PrintWriter out, QuietRounds rounds) {
        this.about = about;
        this.format = format;
        this.out = out;
        this.rounds = rounds;
    }

    /** The word for a bar that is met, or is not. */
    public static String verdict(boolean isMet) {
        return isMet ? "met" : "missed";
    }

    /** What repeats disturbed rounds, if the result is to be kept; all rounds of a measurement share it. */
    public QuietRounds rounds() {
        return rounds;
    }

    /** Begins a section. */
    public Results heading(String text) {
        print("\n" + text + "\n");
        parts.add(new Heading(text));
        return this;
    }

    /** Adds a paragraph: what was done, what the figures say, what stands in the way. */
    public Results note(String text) {
        print(text + "\n");
        parts.add(new Note(text));
        return this;
    }

    /** Adds a table; programs know it by {@code key}, which no other table here has. */
    public Results table(String key, Table table) {
        print(table.format(OutputFormat.TABLE));
        parts.add(new Rows(key, table));
        return this;
    }

    /** Adds a chart, which the page to look at shows. */
    public Results plot(Plot plot) {
        parts.add(new Picture(plot));
        return this;
    }

    private void print(String text) {
        if (format == OutputFormat.TABLE) {
            out.print(text);
            out.flush();
        }
    }

    /** Prints the document for programs, if that is the format. */
    void printRest() {
        if (format == OutputFormat.TABLE) {
            return;
        }
        TableDocument document = new TableDocument(about.title, about.command);
        for (Part part : parts) {
            switch (part) {
                case Note(String note) -> document.note(note);
                case Rows rows -> document.table(rows.key(), rows.table());
                case Heading _, Picture _ -> {}
            }
        }
        out.print(document.table("machine", facts()).format(format));
        out.flush();
    }

    private Table facts() {
        Table facts = machine.table(before.since());
        rounds.tell(facts);
        return facts;
    }

    /**
     * Writes the text, and the page if there is a chart, into {@code directory}, which is made if need be; files of an
     * earlier run are replaced.
     *
     * @throws IOException if one cannot be written
     */
    void record(Path directory) throws IOException {
        Table facts = facts();
        Files.createDirectories(directory);
        String when = Instant.now().truncatedTo(ChronoUnit.MINUTES).toString();
        Path text = directory.resolve(about.name + ".md");
        Files.writeString(text, markdown(when, facts));
        Progress.tell("kept: " + text);
        Path page = directory.resolve(about.name + ".html");
        if (parts.stream().anyMatch(Picture.class::isInstance)) {
            Files.writeString(page, page(when, facts));
            Progress.tell("kept: " + page);
        } else {
            Files.deleteIfExists(page);
        }
    }

    private String markdown(String when, Table facts) {
        StringBuilder text = new StringBuilder("# " + about.title + "\n\n`" + about.command + "`, " + when + "\n");
        parts.forEach(part -> text.append(
                switch (part) {
                    case Heading(String heading) -> "\n## " + heading + "\n";
                    case Note(String note) -> "\n" + note + "\n";
                    case Rows rows -> "\n" + markdown(rows.table());
                    case Picture(Plot plot) -> "\nChart: " + plot.title() + " (" + about.name + ".html)\n";
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
        HtmlPage page = new HtmlPage(about.title).paragraph("dim", about.command + ", " + when);
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
