package dev.retier.cli.volume;

import dev.retier.cli.options.DurationConverter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * For how long requests wait for a server that is away.
 *
 * @param time empty: for ever
 */
record LostAfter(Optional<Duration> time) {
    /** Takes it from the command line. */
    static final class Converter implements ITypeConverter<LostAfter> {
        @Override
        public LostAfter convert(String text) {
            return new LostAfter(
                    text.equals("never") ? Optional.empty() : Optional.of(new DurationConverter().convert(text)));
        }
    }
}
