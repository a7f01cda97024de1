package dev.retier.cli.volume;

import dev.retier.config.SizeText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes a number of bytes. */
final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        return SizeText.parse(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is no size; " + SizeText.REMEDY));
    }
}
