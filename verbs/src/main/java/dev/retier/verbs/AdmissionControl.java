package dev.retier.verbs;

import java.net.InetAddress;
import java.util.Set;

/**
 * What a provider's listening {@code RdmaCmId} may implement: places kept for peers that the program expects, so that
 * strangers who open connections and say nothing cannot keep them out. soft-iwarp's does, native-verbs' does not, so
 * ask first:
 *
 * <pre>{@code
 * if (listener instanceof AdmissionControl admission) {
 *     admission.expected(addressesOfConfiguredPeers);
 * }
 * }</pre>
 */
public interface AdmissionControl {
    /**
     * Connections from these source addresses have places of their own among those that have not yet proved anything;
     * all others share what is left, and none of them may have more than a few. Replaces what was said before. May be
     * called before or after {@code listen}, by any thread, again and again. Grants no right beyond a place: addresses
     * can be forged, and a node behind an expected address still has to prove who it is.
     *
     * @param peers source addresses of configured peers; empty to keep no places
     */
    void expected(Set<InetAddress> peers);
}
