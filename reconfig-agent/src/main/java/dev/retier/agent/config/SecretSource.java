package dev.retier.agent.config;

import java.nio.file.Path;

/** Where the cluster secret is; never the secret itself. */
public sealed interface SecretSource {
    /** A file with one secret, or two while it is replaced, each in a line. */
    record InFile(Path path) implements SecretSource {}

    /** An environment variable with the same. */
    record InEnvironment(String variable) implements SecretSource {}
}
