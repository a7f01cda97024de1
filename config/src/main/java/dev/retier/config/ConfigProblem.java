package dev.retier.config;

/**
 * One thing that is wrong with a configuration file.
 *
 * @param file the file as the reader knows it
 * @param line from 1; 0 when it is no line's fault, as of a file that is not there
 * @param key the path of the key, such as {@code timing.lease}; empty for the file as a whole
 * @param message what is wrong and what to do about it, one line
 */
public record ConfigProblem(String file, int line, String key, String message) {
    /** The whole problem in one line, for people. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + (key.isEmpty() ? "" : key + ": ") + message;
    }
}
