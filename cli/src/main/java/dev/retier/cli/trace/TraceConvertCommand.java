package dev.retier.cli.trace;

import dev.retier.cli.ExitCode;
import dev.retier.cli.trace.options.SeedOption;
import dev.retier.cli.trace.options.ShapeOptions;
import dev.retier.cli.trace.options.TraceFailures;
import dev.retier.cli.trace.options.TraceOptions;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceException;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.file.TraceFormat;
import dev.retier.traces.shape.Anonymised;
import dev.retier.traces.text.EventWriter;
import dev.retier.traces.worldcup.WorldCupClfWriter;
import dev.retier.traces.worldcup.WorldCupObjects;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier trace convert}. */
@Command(
        name = "convert",
        description = "Write a trace, whole or shaped, in another form.",
        footer = {
            "",
            "World Cup files with --to clf and --mapping become byte for byte what their official recreate prints.",
            "",
            "Examples:",
            "  retier trace convert --to clf --mapping object_mappings.sort.gz wc_day66_1.gz --out day66.log",
            "  retier trace convert --from 20m --until 30m --thin 10 access.log.gz --out part.csv",
            "  retier trace convert --anonymise --to clf access.log.gz --out to-share.log"
        })
final class TraceConvertCommand implements Callable<Integer> {
    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private WritingOptions writing = new WritingOptions();

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Option(
            names = "--anonymise",
            description =
                    "Put hashes under a key that is thrown away in the place of clients, paths and queries: times,"
                            + " sizes, methods and who asks for the same thing again stay. For logs to give away.")
    private boolean anonymise;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            TraceFiles files = input.trace(ReplayedMethods.ALL);
            Trace shaped = shape.shape(files, seed.seed());
            Trace trace = anonymise ? new Anonymised(shaped, newKey()) : shaped;
            Path mapping = input.reading().mapping();
            boolean whole = files.format() == TraceFormat.WORLDCUP && trace.equals(files);
            if (whole && mapping != null && writing.form() == WritingOptions.Form.CLF) {
                WorldCupObjects objects = TraceOptions.ReadingOptions.objects(mapping);
                writing.write(spec, out -> recreate(files, objects, out));
            } else {
                writing.write(spec, to -> {
                    EventWriter.Written written = writing.events(trace, to);
                    files.requireTrace(written.reading());
                    sayWhatIsLeftOut(written.reading());
                    return written.requests();
                });
            }
            return ExitCode.OK;
        });
    }

    private void sayWhatIsLeftOut(ReadReport reading) {
        long leftOut = reading.bad() + reading.notReplayed();
        if (leftOut > 0) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("retier: left out: " + reading.bad() + " that make no sense, " + reading.notReplayed()
                    + " whose method is CONNECT or unknown; retier trace info shows the first");
            err.flush();
        }
    }

    private static byte[] newKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return key;
    }

    private static long recreate(TraceFiles files, WorldCupObjects objects, OutputStream out) throws IOException {
        try (InputStream in = files.bytes()) {
            return new WorldCupClfWriter(objects, out).write(in);
        } catch (TraceException e) {
            String message = "trace " + files.name() + ": " + e.getMessage();
            throw new TraceException(message, e);
        }
    }
}
