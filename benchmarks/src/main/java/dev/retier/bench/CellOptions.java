package dev.retier.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How large a cell of real processes is, and for how long it is measured. */
public final class CellOptions {
    private static final int FEWEST_NODES = 3;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes, from 3 (default: ${DEFAULT-VALUE}).")
    private int nodes = 7;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Measured time of each state of the cell (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec measurement;

    /** Seven nodes for so many seconds unless the user says otherwise. */
    public CellOptions(int usualSeconds) {
        seconds = usualSeconds;
    }

    /**
     * How many nodes.
     *
     * @throws ParameterException if these are too few to be moved
     */
    public int nodes() {
        if (nodes < FEWEST_NODES) {
            throw new ParameterException(measurement.commandLine(), "--nodes must be at least " + FEWEST_NODES);
        }
        return nodes;
    }

    /**
     * For how many seconds.
     *
     * @throws ParameterException if that is less than one
     */
    public int seconds() {
        if (seconds < 1) {
            throw new ParameterException(measurement.commandLine(), "--seconds must be at least 1");
        }
        return seconds;
    }
}
