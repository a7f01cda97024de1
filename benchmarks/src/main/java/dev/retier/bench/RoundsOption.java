package dev.retier.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code --rounds} option of measurements in which what is compared takes turns. */
public final class RoundsOption {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Interleaved rounds, at least 1 (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec measurement;

    /** So many rounds unless the user says otherwise. */
    public RoundsOption(int usual) {
        rounds = usual;
    }

    /**
     * How many rounds count.
     *
     * @throws ParameterException if that is less than one
     */
    public int count() {
        if (rounds < 1) {
            throw new ParameterException(measurement.commandLine(), "--rounds must be at least 1");
        }
        return rounds;
    }
}
