package dev.retier.iwarp.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why TLS failed, for people: TLS itself tells hardly more than that it did. Stateless. */
public final class TlsWords {
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

    private TlsWords() {}

    /**
     * In words that name the certificate, and the remedy where there is one.
     *
     * @param shown the certificates that the peer has shown, its own first; empty if it has shown none
     */
    public static String of(SSLException failure, List<X509Certificate> shown) {
        if (failure instanceof NoTlsException) {
            return String.valueOf(failure.getMessage());
        }
        if (cause(failure, CertificateExpiredException.class) != null) {
            X509Certificate first = shown.stream()
                    .min(Comparator.comparing(X509Certificate::getNotAfter))
                    .orElseThrow();
            return "its certificate has expired: " + subject(first) + " was valid until "
                    + first.getNotAfter().toInstant() + " (or this machine's clock is wrong)";
        }
        if (cause(failure, CertificateNotYetValidException.class) != null) {
            X509Certificate last = shown.stream()
                    .max(Comparator.comparing(X509Certificate::getNotBefore))
                    .orElseThrow();
            return "its certificate is not yet valid: " + subject(last) + " is so from "
                    + last.getNotBefore().toInstant() + " on (or this machine's clock is wrong)";
        }
        if (cause(failure, CertPathBuilderException.class) != null) {
            X509Certificate own = shown.getFirst();
            return "its certificate, " + subject(own) + ", was issued by "
                    + own.getIssuerX500Principal().getName() + ", which is not among the authorities in this side's ca"
                    + " file";
        }
        Matcher alert = ALERT.matcher(String.valueOf(failure.getMessage()));
        return alert.find() ? alert(alert.group(1)) : "TLS failed: " + failure.getMessage();
    }

    private static String alert(String name) {
        return switch (name) {
            case "certificate_expired" -> "it says that this side's certificate has expired: renew the file";
            case "certificate_unknown", "unknown_ca", "bad_certificate", "unsupported_certificate" ->
                "it does not believe this side's certificate: it must be valid by its clock, and issued by an authority"
                        + " in its ca file";
            case "certificate_required", "access_denied" -> "it wants a certificate from this side, and was shown none";
            case "protocol_version", "handshake_failure", "insufficient_security" ->
                "it speaks no TLS 1.3 with the kinds of keys that this side has";
            default -> "it ended TLS by the alert " + name.toLowerCase(Locale.ROOT);
        };
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> kind) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (kind.isInstance(at)) {
                return kind.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }
}
