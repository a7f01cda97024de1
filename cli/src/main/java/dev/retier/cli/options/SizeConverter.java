package dev.retier.cli.options;

import dev.retier.config.SizeText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes in bytes on the command line: {@code 4096}, {@code 64k}, {@code 20g}. */
public final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        return SizeText.parse(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is no size; " + SizeText.REMEDY));
    }
}
