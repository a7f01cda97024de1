package dev.retier.config;

import java.util.List;

/**
 * What a parser made of a file: the value, or every reason against it.
 *
 * @param <T> what the file describes
 */
public sealed interface Parsed<T> {
    /** The value, or the refusal as an exception, for callers that cannot go on without it. */
    T orThrow();

    /**
     * The file is good.
     *
     * @param value what it says
     * @param <T> what the file describes
     */
    record Good<T>(T value) implements Parsed<T> {
        @Override
        public T orThrow() {
            return value;
        }
    }

    /**
     * The file is refused.
     *
     * @param problems all that is wrong, at least one
     * @param <T> what the file should have described
     */
    record Refused<T>(List<ConfigProblem> problems) implements Parsed<T> {
        /** Keeps its own copy. */
        public Refused {
            problems = List.copyOf(problems);
        }

        /** {@inheritDoc} */
        @Override
        public T orThrow() {
            throw new ConfigException(problems);
        }
    }
}
