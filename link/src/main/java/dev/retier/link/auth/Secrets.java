package dev.retier.link.auth;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster secret, and while it is rotated the one before it: either is accepted, the current one is offered first.
 *
 * @param former null if there is none
 */
public record Secrets(ClusterSecret current, @Nullable ClusterSecret former) {
    /** No other is accepted. */
    public static Secrets only(ClusterSecret secret) {
        return new Secrets(secret, null);
    }

    /** Both, in the order in which they are tried. */
    public List<ClusterSecret> all() {
        return former == null ? List.of(current) : List.of(current, former);
    }
}
