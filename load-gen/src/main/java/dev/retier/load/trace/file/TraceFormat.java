package dev.retier.load.trace.file;

import dev.retier.load.trace.ClassRule;
import dev.retier.load.trace.CommonLogFormat;
import dev.retier.load.trace.CsvFormat;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.LineEvents;
import dev.retier.load.trace.LogMapping;
import dev.retier.load.trace.ReplayedMethods;
import dev.retier.load.trace.TimeIdSizeFormat;
import dev.retier.load.trace.WorldCupEvents;
import dev.retier.load.trace.WorldCupMapping;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The forms a trace may have. */
public enum TraceFormat {
    /** 20-byte binary records of the 1998 World Cup. */
    WORLDCUP,
    /** Common or Combined Log Format. */
    CLF,
    /** {@code time id size} in text. */
    TEXT,
    /** Our own, see {@link CsvFormat}. */
    CSV;

    private static final Pattern CLF_LINE = Pattern.compile("[^\\[]*\\[[^\\]]*\\][^\"]*\".*");
    private static final Pattern TEXT_LINE = Pattern.compile("\\d+(\\.\\d+)?[ \\t]+\\S+[ \\t]+\\d+\\b.*");

    /** Guesses from the first bytes of the decompressed input: text by the shape of its first lines, else binary. */
    static TraceFormat guess(byte[] start, int length) {
        String text = new String(start, 0, length, StandardCharsets.ISO_8859_1);
        if (text.indexOf('\0') >= 0) {
            return WORLDCUP;
        }
        if (text.startsWith(CsvFormat.HEADING)) {
            return CSV;
        }
        if (text.lines().anyMatch(line -> TEXT_LINE.matcher(line).matches())) {
            return TEXT;
        }
        return text.lines().anyMatch(line -> CLF_LINE.matcher(line).matches()) ? CLF : WORLDCUP;
    }

    EventStream events(String name, InputStream in, ReadOptions options, ClassRule rule) {
        ReplayedMethods methods = options.methods();
        return switch (this) {
            case WORLDCUP ->
                new WorldCupEvents(
                        name, in, new WorldCupMapping(rule, options.maxSizeBytes(), options.objects(), methods));
            case CLF ->
                new LineEvents(name, in, new CommonLogFormat(new LogMapping(rule, options.synthetic())), methods);
            case TEXT -> new LineEvents(name, in, new TimeIdSizeFormat(rule), methods);
            case CSV -> new LineEvents(name, in, new CsvFormat(), methods);
        };
    }
}
