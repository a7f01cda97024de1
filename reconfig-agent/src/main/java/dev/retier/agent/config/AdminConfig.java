package dev.retier.agent.config;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask the agents of a cluster, and how they are reached. The files are of the machine of each agent.
 *
 * @param tls null where agents are reached without it; then everybody who reaches them may read
 * @param tokensFile the tokens of those who have no certificate
 * @param viewers names of client certificates by which one may read, in lower case
 * @param operators names of client certificates by which one may also command, in lower case
 * @param isReadByAll whether metrics and targets are for everybody in spite of TLS
 * @param isInsecure whether agents may listen beyond loopback without TLS
 */
public record AdminConfig(
        @Nullable Tls tls,
        Optional<Path> tokensFile,
        Set<String> viewers,
        Set<String> operators,
        boolean isReadByAll,
        boolean isInsecure) {
    /** For agents that listen on loopback. */
    public static final AdminConfig NONE = new AdminConfig(null, Optional.empty(), Set.of(), Set.of(), false, false);

    /**
     * By what agents prove who they are, and by what they know others.
     *
     * @param certificate PEM: of the agent, and of those that signed it up to one that clients trust
     * @param key PEM, PKCS#8: of that certificate
     * @param clientCa PEM: of those that sign the certificates of clients and, as agents ask each other, the nodes'
     */
    public record Tls(Path certificate, Path key, Path clientCa) {}

    /** Keeps its own copies. */
    public AdminConfig {
        viewers = lowerCase(viewers);
        operators = lowerCase(operators);
    }

    private static Set<String> lowerCase(Set<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether an agent at {@code host}, as the cluster file writes it, is reached from other machines. */
    public static boolean isReachedByOthers(String host) {
        return Literals.isAny(host) || !Literals.isLocal(host);
    }

    /** Whether anybody who reaches an agent at {@code host} from another machine may read, and all is sent in clear. */
    public boolean isInsecureAt(String host) {
        return isInsecure && isReachedByOthers(host);
    }
}
