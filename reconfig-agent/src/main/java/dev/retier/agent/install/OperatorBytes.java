package dev.retier.agent.install;

import dev.retier.agent.apply.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files of an operator's as text in which every byte is one letter, whatever encoding it is in, so that what is not
 * changed stays byte for byte. Stateless.
 */
final class OperatorBytes {
    private OperatorBytes() {}

    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /**
     * Replaces the file by what {@link #read} gave, with lines of ours.
     *
     * @throws IOException as {@link AtomicFile#replace} does, and where a letter is no byte
     */
    static void replace(Path file, String text) throws IOException {
        if (!StandardCharsets.ISO_8859_1.newEncoder().canEncode(text)) {
            throw new IOException("lines for " + file + " have letters that are not ASCII; use another role-file");
        }
        AtomicFile.replace(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
