package dev.retier.config.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** What a certificate says of its holder. Stateless, without clock. */
public final class Certificates {
    /** GeneralName of a subject alternative name: dNSName (RFC 5280 section 4.2.1.6). */
    private static final int DNS_NAME = 2;

    private Certificates() {}

    /**
     * The names of the holder, in lower case: the DNS names among its subject alternative names; if it has none, the
     * common name of its subject (RFC 6125 section 6.4.4); empty if it has neither. A wildcard is given as it is
     * written, and is no name of a node.
     */
    public static Set<String> names(X509Certificate certificate) {
        Set<String> names = new TreeSet<>();
        for (List<?> name : alternativeNames(certificate)) {
            if (name.getFirst() instanceof Integer kind && kind == DNS_NAME) {
                names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
            }
        }
        if (names.isEmpty()) {
            commonName(certificate).ifPresent(name -> names.add(name.toLowerCase(Locale.ROOT)));
        }
        return names;
    }

    private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException damaged) {
            return List.of();
        }
    }

    /** The common name that is the most specific part of the subject. */
    private static Optional<String> commonName(X509Certificate certificate) {
        try {
            List<Rdn> parts = new ArrayList<>(
                    new LdapName(certificate.getSubjectX500Principal().getName()).getRdns());
            return parts.reversed().stream()
                    .filter(part -> part.getType().equalsIgnoreCase("CN"))
                    .map(part -> String.valueOf(part.getValue()))
                    .findFirst();
        } catch (InvalidNameException unreadable) {
            return Optional.empty();
        }
    }

    /** The subject, as RFC 2253 writes it: for people. */
    public static String subject(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        return subject.isEmpty() ? "a certificate without a subject" : subject;
    }

    /** Why it is not valid at {@code now}, in words with the time in UTC; empty if it is. */
    public static Optional<String> whyNotValid(X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isAfter(until)) {
            return Optional.of("expired at " + until);
        }
        return now.isBefore(from) ? Optional.of("not valid before " + from) : Optional.empty();
    }
}
