package dev.retier.cli.options;

import dev.retier.traces.made.BodySizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Body lengths on the command line: {@code 4096}, or {@code 949:1.5} and {@code 949:1.5:1000000}, log-normal. */
final class BodySizesConverter implements ITypeConverter<BodySizes> {
    private static final long USUAL_CAP = 1 << 24;

    @Override
    public BodySizes convert(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 1) {
                return new BodySizes.Fixed(Long.parseLong(text));
            }
            if (parts.length > 3) {
                throw new IllegalArgumentException("too many parts");
            }
            long median = Long.parseLong(parts[0]);
            long cap = parts.length == 3 ? Long.parseLong(parts[2]) : Math.max(median, USUAL_CAP);
            return new BodySizes.LogNormal(median, Double.parseDouble(parts[1]), cap);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is no size (" + e.getMessage() + "); write bytes, or MEDIAN:SIGMA[:CAP]");
        }
    }
}
