package dev.retier.link.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What every node of a cell knows and nobody else. Never prints itself. Immutable.
 */
public final class ClusterSecret {
    /** The fewest characters that a secret may have. */
    public static final int MIN_LENGTH = 16;

    /** The fewest different characters that a secret may have: random ones of 16 characters have more. */
    public static final int MIN_DIFFERENT = 8;

    /** The most characters that a secret may have. */
    public static final int MAX_LENGTH = 1024;

    static final int MAC_LENGTH_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] HINT_LABEL = "retier handshake key hint".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;
    private final Map<KeyName, Key> keys = new ConcurrentHashMap<>();

    private record KeyName(Right right, int version) {}

    /**
     * What is proven for one right.
     *
     * @param hint two bytes of it that tell which of two secrets was used; they help a guesser no more than a MAC
     */
    record Key(SecretKeySpec key, int hint) {
        /** A new MAC (HMAC-SHA256, RFC 2104) under this key. */
        Mac mac() {
            return ClusterSecret.mac(key);
        }
    }

    private ClusterSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The secret in {@code text}, without the white space around it.
     *
     * @throws IllegalArgumentException if it is shorter than {@value #MIN_LENGTH} or longer than {@value #MAX_LENGTH}
     * characters, or has fewer than {@value #MIN_DIFFERENT} different ones; the message does not contain it
     */
    public static ClusterSecret of(String text) {
        String trimmed = text.strip();
        if (trimmed.length() < MIN_LENGTH || trimmed.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the cluster secret has " + trimmed.length() + " characters, not "
                    + MIN_LENGTH + " to " + MAX_LENGTH + ": make one with retier secret new");
        }
        long different = trimmed.chars().distinct().count();
        if (different < MIN_DIFFERENT) {
            throw new IllegalArgumentException("the cluster secret has " + different
                    + " different characters, fewer than " + MIN_DIFFERENT + ", and is soon guessed: make one with"
                    + " retier secret new");
        }
        return new ClusterSecret(trimmed.getBytes(StandardCharsets.UTF_8));
    }

    /** Made once for each right, so that a stranger costs one MAC. */
    Key keyFor(Right right, int version) {
        return keys.computeIfAbsent(new KeyName(right, version), name -> {
            byte[] label = right.keyLabel(version);
            SecretKeySpec derived = label.length == 0 ? key : new SecretKeySpec(mac(key).doFinal(label), ALGORITHM);
            byte[] hint = mac(derived).doFinal(HINT_LABEL);
            return new Key(derived, Byte.toUnsignedInt(hint[0]) << Byte.SIZE | Byte.toUnsignedInt(hint[1]));
        });
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /** Whether both are the same secret; takes as long whatever they have in common. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSecret secret && key.equals(secret.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return "ClusterSecret[hidden]";
    }
}
