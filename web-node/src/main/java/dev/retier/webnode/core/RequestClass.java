package dev.retier.webnode.core;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The two kinds of request. This is the one place that tells them apart. */
public enum RequestClass {
    /** A file: cacheable by a proxy. Paths below {@code /static/}. */
    STATIC("static"),
    /** A computation: always done by an app. Paths below {@code /dynamic/}. */
    DYNAMIC("dynamic");

    private final String word;
    private final String prefix;

    RequestClass(String word) {
        this.word = word;
        this.prefix = "/" + word + "/";
    }

    /** The words of all classes. */
    public static List<String> words() {
        return Arrays.stream(values()).map(RequestClass::word).toList();
    }

    /** The class of a request by the first segment of its path; empty for a path that no node serves. */
    public static Optional<RequestClass> of(String path) {
        for (RequestClass candidate : values()) {
            if (path.startsWith(candidate.prefix)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** The word used in labels and status: {@code static} or {@code dynamic}. */
    public String word() {
        return word;
    }
}
