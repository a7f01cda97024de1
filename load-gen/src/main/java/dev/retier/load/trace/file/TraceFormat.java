package dev.retier.load.trace.file;

import dev.retier.load.trace.ClassRule;
import dev.retier.load.trace.CommonLogFormat;
import dev.retier.load.trace.CsvFormat;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.LineEvents;
import dev.retier.load.trace.LineFormat;
import dev.retier.load.trace.LogMapping;
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
        return switch (this) {
            case WORLDCUP -> new WorldCupEvents(name, in, worldCup(options, rule));
            case CLF -> lines(name, in, new CommonLogFormat(new LogMapping(rule, options.synthetic())), options);
            case TEXT -> lines(name, in, new TimeIdSizeFormat(rule), options);
            case CSV -> lines(name, in, new CsvFormat(), options);
        };
    }

    private static WorldCupMapping worldCup(ReadOptions options, ClassRule rule) {
        return new WorldCupMapping(rule, options.maxSizeBytes(), options.objects(), options.methods());
    }

    private static EventStream lines(String name, InputStream in, LineFormat format, ReadOptions options) {
        return new LineEvents(name, in, format, options.methods());
    }
}
