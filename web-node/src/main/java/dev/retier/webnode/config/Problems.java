package dev.retier.webnode.config;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one file. Owned by one parse. */
final class Problems {
    /** More than a person reads; the rest would be noise. */
    private static final int MAX_PROBLEMS = 50;

    private static final int MAX_MESSAGE_LENGTH = 400;

    private final String file;
    private final List<ConfigProblem> list = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(String where, String message) {
        if (list.size() < MAX_PROBLEMS) {
            list.add(new ConfigProblem(file, where, oneLine(message)));
        }
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    List<ConfigProblem> list() {
        return list;
    }

    private static String oneLine(String message) {
        String flat = message.replaceAll("\\p{Cntrl}+", " ");
        return flat.length() <= MAX_MESSAGE_LENGTH ? flat : flat.substring(0, MAX_MESSAGE_LENGTH) + "...";
    }
}
