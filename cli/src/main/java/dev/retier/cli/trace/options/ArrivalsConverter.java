package dev.retier.cli.trace.options;

import dev.retier.cli.options.NumberConverter;
import dev.retier.traces.file.TraceInput;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.text.CountSeries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Arrivals on the command line: {@code poisson:500}, {@code on-off:900:100:2:5}, {@code series:counts.csv:60:0.1}. */
final class ArrivalsConverter implements ITypeConverter<NamedArrivals> {
    private static final double MINUTE = 60;

    @Override
    public NamedArrivals convert(String text) {
        String[] parts = text.split(":", -1);
        try {
            return switch (parts[0]) {
                case "poisson" -> poisson(parts);
                case "on-off" -> onOff(parts);
                case "series" -> series(parts);
                default -> throw new IllegalArgumentException("no such kind");
            };
        } catch (IllegalArgumentException | TypeConversionException e) {
            throw new TypeConversionException("arrivals '" + text + "': " + e.getMessage()
                    + "; write poisson:RATE, on-off:RATE:RATE:SECONDS:SECONDS or series:FILE[:SECONDS[:SCALE]]");
        }
    }

    private static NamedArrivals poisson(String[] parts) {
        require(parts, 2, 2);
        Arrivals arrivals = new Arrivals.Poisson(number(parts, 1, 0));
        return () -> arrivals;
    }

    private static NamedArrivals onOff(String[] parts) {
        require(parts, 5, 5);
        Arrivals arrivals =
                new Arrivals.OnOff(number(parts, 1, 0), number(parts, 2, 0), number(parts, 3, 0), number(parts, 4, 0));
        return () -> arrivals;
    }

    private static NamedArrivals series(String[] parts) {
        require(parts, 2, 4);
        double seconds = number(parts, 2, MINUTE);
        double scale = number(parts, 3, 1);
        Path file = Path.of(parts[1]);
        return () -> new Arrivals.Series(seconds, counts(file), scale);
    }

    private static List<Long> counts(Path file) {
        try (InputStream in = TraceInput.open(file)) {
            return CountSeries.read(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("--arrivals " + file + ": " + e.getMessage(), e);
        }
    }

    private static void require(String[] parts, int least, int most) {
        if (parts.length < least || parts.length > most) {
            throw new IllegalArgumentException("has " + (parts.length - 1) + " parts after its kind");
        }
    }

    private static double number(String[] parts, int index, double byDefault) {
        return index < parts.length ? NumberConverter.decimal(parts[index]) : byDefault;
    }
}
