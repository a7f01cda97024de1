package dev.retier.webnode.config;

/**
 * One thing that is wrong with a configuration file.
 *
 * @param file the file as the reader knows it
 * @param where the path of the key (such as {@code limits.max-in-flight}), or {@code line:column} for broken JSON, or
 *     empty for the file as a whole
 * @param message what is wrong and what to do about it, one line
 */
public record ConfigProblem(String file, String where, String message) {
    /** The whole problem in one line, for people. */
    @Override
    public String toString() {
        return where.isEmpty() ? file + ": " + message : file + ": " + where + ": " + message;
    }
}
