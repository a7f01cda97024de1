package dev.retier.agent.server;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that people write for servers, which ask for no encoding. Stateless. */
public final class OperatorText {
    private OperatorText() {}

    /**
     * Its text: as UTF-8, or as Latin-1, where every byte is a letter, if it is none.
     *
     * @throws IOException if it cannot be read
     */
    public static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        }
    }
}
