package dev.retier.config.tls;

import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a certificate is that of a node: it is, if one of its {@linkplain Certificates#names names} is the node's
 * name, upper and lower case being the same. Wildcards name no node. Stateless.
 */
public final class NodeName {
    private NodeName() {}

    /** Why whoever shows it is not the node of that name, in words; empty if it is. */
    public static Optional<String> refusal(X509Certificate certificate, String node) {
        Set<String> names = Certificates.names(certificate);
        return names.contains(node.toLowerCase(Locale.ROOT))
                ? Optional.empty()
                : Optional.of("it claims to be " + node + " and shows a certificate of "
                        + (names.isEmpty() ? Certificates.subject(certificate) : String.join(", ", names)));
    }
}
