package dev.retier.cli.trace.options;

import dev.retier.cli.options.NumberConverter;
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
                return new BodySizes.Fixed(NumberConverter.whole(text));
            }
            if (parts.length > 3) {
                throw new IllegalArgumentException("too many parts");
            }
            long median = NumberConverter.whole(parts[0]);
            long cap = parts.length == 3 ? NumberConverter.whole(parts[2]) : Math.max(median, USUAL_CAP);
            return new BodySizes.LogNormal(median, NumberConverter.decimal(parts[1]), cap);
        } catch (IllegalArgumentException | TypeConversionException e) {
            throw new TypeConversionException(
                    "size '" + text + "': " + e.getMessage() + "; write bytes, or MEDIAN:SIGMA[:CAP]");
        }
    }
}
