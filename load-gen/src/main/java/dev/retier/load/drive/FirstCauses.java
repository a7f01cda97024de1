package dev.retier.load.drive;

import dev.retier.load.measure.FailureKind;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the system said when a kind of failure first happened. Thread-safe. */
final class FirstCauses {
    private static final int MAX_LENGTH = 200;
    private static final int BAD_REQUEST = 400;

    /** Netty's name of the system call and the number, before what the system says. */
    private static final Pattern OF_THE_TRANSPORT =
            Pattern.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

    private final Map<FailureKind, String> causes = new ConcurrentHashMap<>();

    /** Notes it, unless one of its kind is known. */
    void add(FailureKind kind, Throwable cause) {
        if (!causes.containsKey(kind)) {
            Throwable deepest = cause;
            for (int i = 0; i < 8 && deepest.getCause() != null; i++) {
                deepest = deepest.getCause();
            }
            String message = said(deepest);
            if (message == null) {
                return; // the kind says all there is
            }
            add(kind, message);
        }
    }

    /** Notes the status of an answer that was no good one, unless one of its kind is known. */
    void add(FailureKind kind, int status) {
        if (!causes.containsKey(kind)) {
            add(
                    kind,
                    "the first: " + status
                            + (status == BAD_REQUEST ? ", as a server answers that wants https://" : ""));
        }
    }

    /** Notes what was wrong, unless it is known of its kind. */
    void add(FailureKind kind, String message) {
        if (!causes.containsKey(kind)) {
            String text =
                    OF_THE_TRANSPORT.matcher(message.replaceAll("\\s+", " ")).replaceFirst("");
            causes.putIfAbsent(kind, text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...");
        }
    }

    private static @Nullable String said(Throwable cause) {
        return switch (cause) {
            case NotSslRecordException _ -> "what came is no TLS; a server that speaks plain HTTP wants http://";
            case CertPathBuilderException _ -> "nobody who is trusted has signed its certificate";
            default -> cause.getMessage();
        };
    }

    Map<FailureKind, String> all() {
        return Map.copyOf(causes);
    }
}
