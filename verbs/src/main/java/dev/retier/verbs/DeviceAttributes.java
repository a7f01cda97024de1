package dev.retier.verbs;

import java.util.Optional;

/**
 * What a provider's {@code IbvContext} may implement: what its device can do. Who asks for more than that is refused,
 * so ask first:
 *
 * <pre>{@code
 * if (context instanceof DeviceAttributes device) {
 *     entries = Math.min(entries, device.maxCompletions());
 * }
 * }</pre>
 *
 * <p>Safe for any thread.
 */
public interface DeviceAttributes {
    /** Its name, such as {@code mlx5_0}. */
    String deviceName();

    /** The most entries of a completion queue. */
    int maxCompletions();

    /** The most work requests that a send queue, or a receive queue, may have under way. */
    int maxWork();

    /** The most scatter/gather elements of a work request. */
    int maxElements();

    /** The most of them of an RDMA read: one where the device speaks iWARP, as its wire has room for no more. */
    int maxReadElements();

    /** Whether it does compare-and-swap and fetch-and-add. */
    boolean hasAtomics();

    /** Whether those exclude, on the same word, what this machine's own processors do by their atomics. */
    boolean excludesProcessors();

    /** Whether it does RDMA writes with immediate data: iWARP has them since RFC 7306, most of its devices not. */
    boolean hasImmediates();

    /** Why there are neither, for people; empty if there are. */
    default Optional<String> whyNoAtomics() {
        return hasAtomics()
                ? Optional.empty()
                : Optional.of(deviceName() + " has no atomics: neither compare-and-swap nor fetch-and-add can be done"
                        + " over it");
    }

    /**
     * Whether the {@code vendor_err} of a flushed receive is the first 16 bits of the RDMAP Terminate by which this
     * end ended the connection (a {@link TerminateWord}): what the peer did wrong; 0 if it did not.
     */
    boolean tellsTerminates();
}
