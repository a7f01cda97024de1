package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.command.PauseWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The pauses that operators have told, in a file beside the journal.
 *
 * @param cluster of all agents
 * @param isPausedHere of this one
 */
record PauseFile(PauseWord cluster, boolean isPausedHere) {
    private static final JsonMapper MAPPER = new JsonMapper();

    private static Path in(Path folder) {
        return folder.resolve("operator.json");
    }

    /**
     * What was kept in {@code folder}.
     *
     * @throws ReconfigException when there is a file that cannot be read: deciding in spite of a pause would be worse
     */
    static PauseFile read(Path folder) {
        Path file = in(folder);
        try {
            if (!Files.exists(file)) {
                return new PauseFile(PauseWord.NONE, false);
            }
            JsonNode kept = MAPPER.readTree(Files.readString(file));
            return new PauseFile(
                    PauseWord.decode(kept.required("pause_word").intValue()),
                    kept.required("paused_here").booleanValue());
        } catch (IOException | JacksonException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": what operators have told cannot be read; remove it to start with nothing paused",
                    e);
        }
    }

    /** Keeps this in {@code folder} in the place of what was there. */
    void write(Path folder) throws IOException {
        String text = MAPPER.createObjectNode()
                .put("pause_word", cluster.encode())
                .put("paused_here", isPausedHere)
                .toString();
        AtomicFile.replace(in(folder), text + "\n");
    }
}
