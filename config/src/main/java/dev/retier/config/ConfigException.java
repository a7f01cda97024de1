package dev.retier.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration is refused as a whole; nothing of it is in force. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Says every problem, one per line, in the message. */
    public ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, at least one, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
