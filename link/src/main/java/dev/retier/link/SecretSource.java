package dev.retier.link;

import dev.retier.link.auth.ClusterSecret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the cluster secret comes from: a file or the environment, never the configuration. Stateless. */
public final class SecretSource {
    /** More than the longest secret and the white space around it. */
    private static final int MAX_FILE_BYTES = 4096;

    private SecretSource() {}

    /**
     * The secret in {@code file}.
     *
     * @throws StateException if the file cannot be read or holds no secret; the message names the file, never its
     * text
     */
    public static ClusterSecret fromFile(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
                throw new StateException(file + " is no file of up to " + MAX_FILE_BYTES
                        + " bytes: make one with the cluster secret," + " text in UTF-8 that this user only can read");
            }
            return parse("file " + file, Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new StateException(
                    "cannot read the cluster secret from " + file + ": " + remedy(unreadable), unreadable);
        }
    }

    private static String remedy(IOException unreadable) {
        return switch (unreadable) {
            case AccessDeniedException _ -> "permission denied; give it to this user (chown, chmod 400)";
            case CharacterCodingException _ -> "it is no text in UTF-8; write the secret into it, as such";
            default -> unreadable.getMessage() + "; it is to be text in UTF-8 that this user only can read";
        };
    }

    /**
     * The secret in the environment variable {@code name}.
     *
     * @throws StateException if it is not set or holds no secret; the message names the variable, never its text
     */
    public static ClusterSecret fromEnvironment(String name) {
        String text = System.getenv(name);
        if (text == null) {
            throw new StateException("environment variable " + name + " is not set: put the cluster secret into it");
        }
        return parse("environment variable " + name, text);
    }

    private static ClusterSecret parse(String source, String text) {
        try {
            return ClusterSecret.of(text);
        } catch (IllegalArgumentException unusable) {
            throw new StateException(source + ": " + unusable.getMessage());
        }
    }
}
