package dev.retier.agent.files;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The cluster file on disk. Stateless. */
public final class ConfigFile {
    /** More than the longest text that is parsed: it has a million characters, of four bytes at most. */
    private static final int MOST_BYTES = 8 << 20;

    private ConfigFile() {}

    /**
     * The cluster's configuration.
     *
     * @throws ConfigException with every problem of the file, or that it cannot be read
     */
    public static ClusterConfig read(Path file) {
        try {
            return ClusterConfig.parse(text(file), file.toString());
        } catch (IOException e) {
            throw refusal(file.toString(), "cannot be read (" + IoReason.of(e) + "); name a readable file");
        }
    }

    /**
     * Its text; of one that is larger than any cluster file may be, as much as shows that.
     *
     * @throws IOException when it cannot be read, or is no UTF-8 text
     */
    public static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
    }

    private static ConfigException refusal(String file, String message) {
        return new ConfigException(List.of(new ConfigProblem(file, 1, "", message)));
    }
}
