package dev.retier.agent.files;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigException;
import dev.retier.agent.config.ConfigProblem;
import dev.retier.agent.config.SecretSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The cluster file and the secret that it names. */
public final class ConfigFile {
    /** Shorter secrets can be guessed. */
    private static final int MIN_SECRET_LENGTH = 16;

    private static final int MAX_SECRET_BYTES = 4_096;

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
            throw refusal(file.toString(), "", "cannot be read (" + e.getMessage() + "); name a readable file");
        }
    }

    /**
     * The secret: the first line of its file, or the value of its variable, without white space around it.
     *
     * @param environment the environment variables
     * @throws ConfigException when there is none or it is too short; never with the secret in it
     */
    public static byte[] secret(SecretSource source, Map<String, String> environment) {
        return switch (source) {
            case SecretSource.InFile(Path path) -> checked(firstLine(path), path.toString());
            case SecretSource.InEnvironment(String variable) ->
                checked(environment.getOrDefault(variable, ""), "$" + variable);
        };
    }

    private static String firstLine(Path path) {
        try {
            if (Files.size(path) > MAX_SECRET_BYTES) {
                throw refusal(path.toString(), "secret-file", "is larger than a secret; name the right file");
            }
            return Files.readString(path).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw refusal(
                    path.toString(), "secret-file", "cannot be read (" + e.getMessage() + "); name a readable file");
        }
    }

    private static byte[] checked(String text, String where) {
        String secret = text.strip();
        if (secret.length() < MIN_SECRET_LENGTH) {
            throw refusal(where, "", "holds no secret of at least " + MIN_SECRET_LENGTH + " characters; put one there");
        }
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    private static ConfigException refusal(String file, String key, String message) {
        return new ConfigException(List.of(new ConfigProblem(file, 1, key, message)));
    }
}
