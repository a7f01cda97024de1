package dev.retier.cli;

import dev.retier.load.LoadException;
import dev.retier.load.trace.Trace;
import dev.retier.load.trace.WorldCupClfWriter;
import dev.retier.load.trace.WorldCupObjects;
import dev.retier.load.trace.file.TraceFiles;
import dev.retier.load.trace.file.TraceFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
            "  retier trace convert --from 20m --until 30m --thin 10 access.log.gz --out part.csv"
        })
final class TraceConvertCommand implements Callable<Integer> {
    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private WritingOptions writing = new WritingOptions();

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Mixin
    private SeedOption seed = new SeedOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            TraceFiles files = input.trace();
            Trace trace = shape.shape(files, seed.seed());
            Path mapping = input.reading().mapping();
            boolean whole = files.format() == TraceFormat.WORLDCUP && trace.equals(files);
            if (whole && mapping != null && writing.form() == WritingOptions.Form.CLF) {
                WorldCupObjects objects = TraceOptions.ReadingOptions.objects(mapping);
                writing.write(spec, out -> recreate(files, objects, out));
            } else {
                writing.write(spec, trace);
            }
            return ExitCode.OK;
        });
    }

    private static long recreate(TraceFiles files, WorldCupObjects objects, OutputStream out) throws IOException {
        try (InputStream in = files.bytes()) {
            return new WorldCupClfWriter(objects, out).write(in);
        } catch (LoadException e) {
            String message = "trace " + files.name() + ": " + e.getMessage();
            throw new LoadException(LoadException.Category.FATAL, message, e);
        }
    }
}
