package dev.retier.cli.load;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.NumberConverter;
import dev.retier.load.schedule.Pacing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Rates on the command line: {@code 500}, or steps such as {@code 100:30s,500:30s,1000}; the last has no end. */
final class RatesConverter implements ITypeConverter<Pacing.Rates> {
    private final DurationConverter durations = new DurationConverter();

    @Override
    public Pacing.Rates convert(String text) {
        List<Pacing.Rates.Step> steps = new ArrayList<>();
        String[] parts = text.split(",", -1);
        try {
            for (int i = 0; i < parts.length; i++) {
                boolean last = i == parts.length - 1;
                String[] rateAndLength = parts[i].split(":", 2);
                if (rateAndLength.length == 1 && !last) {
                    throw new IllegalArgumentException("each step but the last needs a length");
                }
                Duration length = rateAndLength.length == 1 ? null : durations.convert(rateAndLength[1]);
                long nanos = length == null || last ? Long.MAX_VALUE : length.toNanos();
                steps.add(new Pacing.Rates.Step(NumberConverter.decimal(rateAndLength[0]), nanos));
            }
            return new Pacing.Rates(steps);
        } catch (IllegalArgumentException | TypeConversionException e) {
            throw new TypeConversionException(
                    "rate '" + text + "': " + e.getMessage() + "; write a rate, or steps as in 100:30s,500:30s,1000");
        }
    }
}
