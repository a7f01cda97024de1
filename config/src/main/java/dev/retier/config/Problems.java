package dev.retier.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one file. Owned by one parse. */
public final class Problems {
    /** More than a person reads; the rest would be noise. */
    private static final int MAX_PROBLEMS = 50;

    private static final int MAX_MESSAGE_LENGTH = 300;

    private final String file;
    private final List<ConfigProblem> list = new ArrayList<>();

    /** Nothing is wrong yet with {@code file}. */
    public Problems(String file) {
        this.file = file;
    }

    /** Notes a problem: its line (from 1), the path of the key, or nothing, and what is wrong and what to do. */
    public void add(int line, String key, String message) {
        if (list.size() < MAX_PROBLEMS) {
            String flat = message.replaceAll("\\p{Cntrl}+", " ");
            String shown = flat.length() <= MAX_MESSAGE_LENGTH ? flat : flat.substring(0, MAX_MESSAGE_LENGTH) + "...";
            list.add(new ConfigProblem(file, line, key, shown));
        }
    }

    /** Whether nothing is wrong. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** All problems in the order of their lines. */
    public List<ConfigProblem> list() {
        return list.stream()
                .sorted(Comparator.comparingInt(ConfigProblem::line))
                .toList();
    }

    /** The same as one failure; call it only when there is a problem. */
    public ConfigException toException() {
        return new ConfigException(list());
    }
}
