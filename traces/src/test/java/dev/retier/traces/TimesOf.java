package dev.retier.traces;

import dev.retier.traces.text.LineEvents;
import dev.retier.traces.text.TimeIdSizeFormat;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** A trace of requests at these seconds. */
public final class TimesOf implements Trace {
    private final double[] seconds;

    /** Not falling. */
    public TimesOf(double... seconds) {
        this.seconds = seconds.clone();
    }

    @Override
    public String name() {
        return "times";
    }

    @Override
    public EventStream open() {
        String text = Arrays.stream(seconds).mapToObj(at -> at + " x 1\n").collect(Collectors.joining());
        return new LineEvents(
                "times",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
                new TimeIdSizeFormat(ClassRule.AS_LOGGED),
                ReplayedMethods.SAFE);
    }

    @Override
    public OptionalLong eventCount() {
        return OptionalLong.of(seconds.length);
    }
}
