package dev.retier.state.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What every node of a cell knows and nobody else; or the lesser secret that is derived from it for viewers, who may
 * read slots and change nothing. Never prints itself. Immutable.
 */
public final class ClusterSecret {
    /** The fewest characters that a secret may have. */
    public static final int MIN_LENGTH = 16;

    /** The most characters that a secret may have. */
    public static final int MAX_LENGTH = 1024;

    static final int MAC_LENGTH_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String VIEWER_PREFIX = "viewer:";
    private static final byte[] VIEWER_LABEL = "retier shared-state viewer".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FABRIC_LABEL = "retier shared-state fabric".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;
    private final Rights rights;

    private ClusterSecret(byte[] bytes, Rights rights) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
        this.rights = rights;
    }

    /**
     * The secret in {@code text}, without the white space around it: a member's, or a viewer's as {@link #forViewers}
     * wrote it.
     *
     * @throws IllegalArgumentException if it is shorter than {@value #MIN_LENGTH} or longer than {@value #MAX_LENGTH}
     * characters, or a spoilt viewer's one; the message does not contain it
     */
    public static ClusterSecret of(String text) {
        String trimmed = text.strip();
        if (trimmed.length() < MIN_LENGTH || trimmed.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the cluster secret has " + trimmed.length() + " characters, not "
                    + MIN_LENGTH + " to " + MAX_LENGTH);
        }
        return trimmed.startsWith(VIEWER_PREFIX)
                ? viewer(trimmed.substring(VIEWER_PREFIX.length()))
                : new ClusterSecret(trimmed.getBytes(StandardCharsets.UTF_8), Rights.MEMBER);
    }

    /** What its owner may do. */
    public Rights rights() {
        return rights;
    }

    /**
     * The text of the viewers' secret, to be put into a file of its own. It opens slots for reading and does not
     * lead back to this one.
     *
     * @throws IllegalStateException if this is not a member's secret
     */
    public String forViewers() {
        return VIEWER_PREFIX
                + HexFormat.of().formatHex(keyFor(Rights.VIEWER).key.getEncoded());
    }

    /**
     * What a member proves when it asks for {@link Rights#FABRIC}, so that an answer of one kind of connection is worth
     * nothing on another.
     *
     * @throws IllegalStateException if this is not a member's secret
     */
    public ClusterSecret forFabric() {
        return keyFor(Rights.FABRIC);
    }

    /** The secret that a peer who claims {@code claimed} has to prove. */
    ClusterSecret keyFor(Rights claimed) {
        if (claimed == rights) {
            return this;
        }
        if (rights != Rights.MEMBER) {
            throw new IllegalStateException("only a member's secret leads to others");
        }
        byte[] label = claimed == Rights.VIEWER ? VIEWER_LABEL : FABRIC_LABEL;
        return new ClusterSecret(mac().doFinal(label), claimed);
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

    private static ClusterSecret viewer(String hex) {
        if (hex.length() != 2 * MAC_LENGTH_BYTES || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException(
                    "a viewer's secret has " + 2 * MAC_LENGTH_BYTES + " hex digits after " + VIEWER_PREFIX);
        }
        return new ClusterSecret(HexFormat.of().parseHex(hex), Rights.VIEWER);
    }

    @Override
    public String toString() {
        return "ClusterSecret[hidden]";
    }
}
