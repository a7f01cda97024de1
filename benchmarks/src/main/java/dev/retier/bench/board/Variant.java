package dev.retier.bench.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The decision with something left out or set otherwise: other text in its sources.
 *
 * @param name of what is left out, or of the constant and its other value
 * @param of what is judged: all variants of it together
 * @param kind of that
 * @param edits each of which must find its text once
 */
record Variant(String name, String of, Kind kind, List<Edit> edits) {
    /** What variants change. */
    enum Kind {
        TERM("term"),
        CONSTANT("constant"),
        KEY("configured key");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * One place.
     *
     * @param file below the agent's package, such as {@code decide/Gains.java}
     * @param text that is there, exactly once
     * @param replacement what is there instead
     */
    record Edit(String file, String text, String replacement) {}

    /** Keeps its own copy. */
    Variant {
        edits = List.copyOf(edits);
    }

    /**
     * The sources that it changes, by file.
     *
     * @param agent folder of the agent's package
     * @throws IOException if a file cannot be read, or a text is not in it just once: then the decision has changed and
     *     the variant must follow
     */
    Map<String, String> sources(Path agent) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String before = sources.containsKey(edit.file)
                    ? sources.get(edit.file)
                    : Files.readString(agent.resolve(edit.file));
            int at = before.indexOf(edit.text);
            if (at < 0 || before.indexOf(edit.text, at + 1) >= 0) {
                throw new IOException(
                        "variant '" + name + "': " + edit.file + " has not just once the text \"" + edit.text + "\"");
            }
            sources.put(
                    edit.file, before.substring(0, at) + edit.replacement + before.substring(at + edit.text.length()));
        }
        return sources;
    }
}
