package dev.retier.agent.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a folder can be written in, found out by doing it. Stateless. */
public final class WriteTrial {
    /** As much as a generated file has. */
    private static final int BYTES = 16 << 10;

    private WriteTrial() {}

    /**
     * Writes a file that nobody else has, by a name that nobody can have put a link in the place of, and takes it away
     * again.
     *
     * @throws IOException when it cannot be written whole
     */
    public static void in(Path folder) throws IOException {
        Path trial = Files.createTempFile(folder, ".retier-doctor-", "");
        try {
            Files.write(trial, new byte[BYTES]);
        } finally {
            Files.deleteIfExists(trial);
        }
    }
}
