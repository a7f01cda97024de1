package dev.retier.webnode.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration file is refused; nothing of it was applied. The message has one line per problem. A command line
 * ends with exit code 78.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Refuses for all of {@code problems}, at least one. */
    public ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
