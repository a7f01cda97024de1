package dev.retier.agent.files;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The cluster file on disk. Stateless. */
public final class ConfigFile {
    private ConfigFile() {}

    /**
     * The cluster's configuration.
     *
     * @throws ConfigException with every problem of the file, or that it cannot be read
     */
    public static ClusterConfig read(Path file) {
        try {
            return ClusterConfig.parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw refusal(file.toString(), "cannot be read (" + IoReason.of(e) + "); name a readable file");
        }
    }

    private static ConfigException refusal(String file, String message) {
        return new ConfigException(List.of(new ConfigProblem(file, 1, "", message)));
    }
}
