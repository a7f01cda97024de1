package dev.retier.agent.config;

import java.nio.file.Path;

/** Where the cluster secret is; never the secret itself. */
public sealed interface SecretSource {
    /** The first line of a file. */
    record InFile(Path path) implements SecretSource {}

    /** An environment variable. */
    record InEnvironment(String variable) implements SecretSource {}
}
