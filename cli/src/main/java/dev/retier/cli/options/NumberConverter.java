package dev.retier.cli.options;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers on the command line: decimal digits, with a point and a power of ten where wanted, as in {@code 0.5} and
 * {@code 1e6}. What Java would take besides ({@code NaN}, {@code Infinity}, {@code 0x1p3}, {@code 1d}) is no number
 * that somebody means. Stateless.
 */
public final class NumberConverter implements ITypeConverter<Double> {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?");
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

    @Override
    public Double convert(String text) {
        return decimal(text);
    }

    /** The number; a {@link TypeConversionException} for anything else. */
    public static double decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is no number");
        }
        return Double.parseDouble(text);
    }

    /** The same for one without fraction. */
    public static long whole(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is no whole number of up to 18 digits");
        }
        return Long.parseLong(text);
    }
}
