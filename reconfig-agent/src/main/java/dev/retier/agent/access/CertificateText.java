package dev.retier.agent.access;

import dev.retier.config.tls.Certificates;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Certificates in words, for people who have to mend them. Stateless. */
public final class CertificateText {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private CertificateText() {}

    /** For whom it is: the names and addresses by which it is reached, else its subject. */
    public static String names(X509Certificate certificate) {
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            String names = all == null
                    ? ""
                    : all.stream()
                            .filter(name ->
                                    name.getFirst() instanceof Integer type && (type == DNS_NAME || type == IP_ADDRESS))
                            .map(name -> String.valueOf(name.get(1)))
                            .collect(Collectors.joining(", "));
            return names.isEmpty() ? Certificates.subject(certificate) : names;
        } catch (CertificateParsingException e) {
            return Certificates.subject(certificate);
        }
    }

    /**
     * Whether it is for that host, a name or an address as the cluster file writes it. A wildcard that is the whole
     * leftmost label stands for any one label (RFC 9525 section 6.3).
     */
    public static boolean isFor(X509Certificate certificate, String host) {
        return List.of(names(certificate).split(", ", -1)).stream()
                .anyMatch(name -> name.equalsIgnoreCase(host) || isSame(name, host) || isWildcardOf(name, host));
    }

    private static boolean isWildcardOf(String name, String host) {
        int labelEnd = host.indexOf('.');
        return name.startsWith("*.")
                && labelEnd > 0
                && address(host).isEmpty()
                && name.substring(1).equalsIgnoreCase(host.substring(labelEnd));
    }

    private static boolean isSame(String name, String host) {
        return address(name).isPresent() && address(name).equals(address(host));
    }

    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            // It is a name.
            return Optional.empty();
        }
    }

    /**
     * Why one is refused.
     *
     * @param chain that was shown, its own first
     * @param host that it was asked for; null where it need not be for any
     * @param signers where those stand who are trusted
     * @param isSigned whether one of them signed it
     */
    public static String refusal(
            X509Certificate[] chain, @Nullable String host, String signers, boolean isSigned, Instant now) {
        for (X509Certificate each : chain) {
            Optional<String> wrong = Certificates.whyNotValid(each, now);
            if (wrong.isPresent()) {
                return "the certificate of " + names(each) + " is no good, " + wrong.get();
            }
        }
        String issuer = chain[0].getIssuerX500Principal().getName();
        if (!isSigned) {
            return "the certificate of " + names(chain[0]) + " is signed by " + issuer
                    + ", which is not among the signers in " + signers + ", or it is not meant for this use";
        }
        return host == null
                ? "the certificate of " + names(chain[0]) + " is refused"
                : "the certificate is for " + names(chain[0]) + ", and not for " + host;
    }
}
