package dev.retier.traces.file;

import dev.retier.traces.ClassRule;
import dev.retier.traces.EventStream;
import dev.retier.traces.text.CommonLogFormat;
import dev.retier.traces.text.CsvFormat;
import dev.retier.traces.text.LineEvents;
import dev.retier.traces.text.LineFormat;
import dev.retier.traces.text.LogMapping;
import dev.retier.traces.text.TimeIdSizeFormat;
import dev.retier.traces.worldcup.WorldCupEvents;
import dev.retier.traces.worldcup.WorldCupMapping;
import dev.retier.traces.worldcup.WorldCupRecord;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

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

    /**
     * Guesses from the first bytes of the decompressed input: by its lines, if it has one that fits, else by its
     * records, if most are sound. A text may have holes of NUL, as a log that is cut while it is written to.
     */
    static Optional<TraceFormat> guess(byte[] start, int length) {
        String text = new String(start, 0, length, StandardCharsets.ISO_8859_1).replace("\0", "");
        if (text.startsWith(CsvFormat.HEADING)) {
            return Optional.of(CSV);
        }
        if (text.lines().anyMatch(line -> TEXT_LINE.matcher(line).matches())) {
            return Optional.of(TEXT);
        }
        if (text.lines().anyMatch(line -> CLF_LINE.matcher(line).matches())) {
            return Optional.of(CLF);
        }
        int records = length / WorldCupRecord.LENGTH_BYTES;
        long sound = IntStream.range(0, records)
                .filter(index -> WorldCupRecord.isSound(start, index * WorldCupRecord.LENGTH_BYTES))
                .count();
        return records > 0 && 2 * sound > records ? Optional.of(WORLDCUP) : Optional.empty();
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
