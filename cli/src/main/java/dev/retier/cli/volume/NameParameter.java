package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes the name of a volume. */
final class NameParameter implements ITypeConverter<VolumeName> {
    @Override
    public VolumeName convert(String text) {
        try {
            return new VolumeName(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }
}
