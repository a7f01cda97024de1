package dev.retier.webnode;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the operator's settings from disk. Stateless. */
public final class SettingsFile {
    private SettingsFile() {}

    /**
     * The settings in {@code file}.
     *
     * @throws ConfigException when it cannot be read or anything in it is wrong; all problems at once
     */
    public static WebNodeSettings load(Path file) {
        try {
            return WebNodeSettings.parse(Files.readAllBytes(file), file).orThrow();
        } catch (IOException e) {
            String message = "cannot be read (" + IoReason.of(e) + "); give the path of a settings file";
            throw new ConfigException(List.of(new ConfigProblem(file.toString(), 0, "", message)));
        }
    }
}
