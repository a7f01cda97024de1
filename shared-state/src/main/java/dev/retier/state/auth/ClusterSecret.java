package dev.retier.state.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What every node of a cell knows and nobody else. Never prints itself. Immutable. */
public final class ClusterSecret {
    /** The fewest characters that a secret may have. */
    public static final int MIN_LENGTH = 16;

    /** The most characters that a secret may have. */
    public static final int MAX_LENGTH = 1024;

    static final int MAC_LENGTH_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private ClusterSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The secret in {@code text}, without the white space around it.
     *
     * @throws IllegalArgumentException if it is shorter than {@value #MIN_LENGTH} or longer than {@value #MAX_LENGTH}
     * characters; the message does not contain it
     */
    public static ClusterSecret of(String text) {
        String trimmed = text.strip();
        if (trimmed.length() < MIN_LENGTH || trimmed.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the cluster secret has " + trimmed.length() + " characters, not "
                    + MIN_LENGTH + " to " + MAX_LENGTH);
        }
        return new ClusterSecret(trimmed.getBytes(StandardCharsets.UTF_8));
    }

    /** A new MAC (HMAC-SHA256, RFC 2104) under this secret. */
    Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    @Override
    public String toString() {
        return "ClusterSecret[hidden]";
    }
}
