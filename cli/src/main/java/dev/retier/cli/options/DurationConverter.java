package dev.retier.cli.options;

import dev.retier.config.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations with their unit on the command line: {@code 250ms}, {@code 5s}, {@code 2m}, {@code 3h}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return DurationText.parse(text)
                .orElseThrow(
                        () -> new TypeConversionException("'" + text + "' is no duration; " + DurationText.REMEDY));
    }
}
