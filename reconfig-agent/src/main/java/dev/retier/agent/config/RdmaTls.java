package dev.retier.agent.config;

import java.nio.file.Path;

/**
 * The files of TLS between the nodes, as the cluster file names them; in each, {@value #NODE} stands for the name of
 * the node that reads it.
 *
 * @param certificate the node's own first, which names it, then those of who issued it
 * @param key that belongs to it
 * @param authorities whose certificates are believed
 */
public record RdmaTls(String certificate, String key, String authorities) {
    /** In a path: the name of the node. */
    public static final String NODE = "{node}";

    /** Where {@code node} has its certificate. */
    public Path certificate(String node) {
        return path(certificate, node);
    }

    /** Where {@code node} has its key. */
    public Path key(String node) {
        return path(key, node);
    }

    /** Where {@code node} has the authorities' certificates. */
    public Path authorities(String node) {
        return path(authorities, node);
    }

    private static Path path(String pattern, String node) {
        return Path.of(pattern.replace(NODE, node));
    }
}
