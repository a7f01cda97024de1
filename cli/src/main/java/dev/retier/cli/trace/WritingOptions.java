package dev.retier.cli.trace;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.HelpHeading;
import dev.retier.cli.options.InstantConverter;
import dev.retier.cli.options.UnclosedStream;
import dev.retier.cli.options.WritableFile;
import dev.retier.traces.Trace;
import dev.retier.traces.text.EventWriter;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Where a trace is written, and how. */
@HelpHeading("What is written")
public final class WritingOptions {
    private static final Instant START_OF_2026 = Instant.parse("2026-01-01T00:00:00Z");

    @Option(
            names = "--to",
            paramLabel = "FORM",
            defaultValue = "csv",
            description = "csv (our own, loses nothing), clf (Common Log Format: its reader works classes out anew;"
                    + " statuses are 200, or 304 where an answer was, and dates begin at --start), text (time id size;"
                    + " default: ${DEFAULT-VALUE}).")
    private Form form = Form.CSV;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write it, gzip when the name ends with .gz (default: standard output).")
    private @Nullable Path out;

    @Option(
            names = "--start",
            paramLabel = "TIME",
            converter = InstantConverter.class,
            description = "clf: time of the first request (default: 2026-01-01T00:00:00Z).")
    private Instant start = START_OF_2026;

    /** How it is written. */
    enum Form {
        CSV,
        CLF,
        TEXT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes bytes; returns how many requests they are. */
    @FunctionalInterface
    interface Writer {
        /** Writes all to {@code out}, which stays open. */
        long writeTo(OutputStream out) throws IOException;
    }

    Form form() {
        return form;
    }

    @Nullable
    Path out() {
        return out;
    }

    /** Writes what {@code writer} writes where the options say, and says how many requests that are. */
    void write(CommandSpec spec, Writer writer) throws IOException {
        write(spec, out, writer);
    }

    /** The same, into {@code file}; null: standard output. */
    void write(CommandSpec spec, @Nullable Path file, Writer writer) throws IOException {
        long written;
        if (file == null) {
            try (OutputStream to = standardOutput()) {
                written = writer.writeTo(to);
            } catch (IOException e) {
                if ("Broken pipe".equals(e.getMessage())) {
                    throw new CommandFailure(ExitCode.BROKEN_PIPE, "", e);
                }
                throw e;
            }
        } else {
            WritableFile.require("--out", file);
            boolean isZipped = file.toString().endsWith(".gz");
            written = WritableFile.write(file, out -> {
                try (OutputStream to = filtered(out, isZipped)) {
                    return writer.writeTo(to);
                }
            });
        }
        spec.commandLine()
                .getErr()
                .println("retier: " + written + " requests written" + (file == null ? "" : " to " + file));
        spec.commandLine().getErr().flush();
    }

    /** {@code trace} in the form that the options say. */
    EventWriter.Written events(Trace trace, OutputStream to) throws IOException {
        return switch (form) {
            case CSV -> EventWriter.csv(trace, to);
            case CLF -> EventWriter.clf(trace, start, to);
            case TEXT -> EventWriter.text(trace, to);
        };
    }

    private static OutputStream filtered(OutputStream raw, boolean isZipped) throws IOException {
        return isZipped ? new GZIPOutputStream(raw, 1 << 16) : new BufferedOutputStream(raw);
    }

    /** Bytes go past the command's text writer; closing it must not close the process's own stream. */
    private static OutputStream standardOutput() {
        return new UnclosedStream(new BufferedOutputStream(new FileOutputStream(java.io.FileDescriptor.out)));
    }
}
