package dev.retier.link;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.verbs.DeviceAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a device can do on which not every one can. A device that does not tell is taken to have atomics.
 *
 * @param device its name; empty if it is not known
 * @param whyNoAtomics why compare-and-swap and fetch-and-add cannot be done over it, for people; empty if they can
 * @param hasImmediates whether RDMA writes with immediate data can be done over it
 * @param excludesProcessors whether its atomics exclude those of the processors of its machine on the same word
 */
public record Abilities(
        String device, Optional<String> whyNoAtomics, boolean hasImmediates, boolean excludesProcessors) {
    private static final Abilities UNTOLD = new Abilities("", Optional.empty(), true, false);

    /** Those of {@code context}; null stands for a device that is not known. */
    static Abilities of(@Nullable IbvContext context) {
        return context instanceof DeviceAttributes device
                ? new Abilities(
                        device.deviceName(), device.whyNoAtomics(), device.hasImmediates(), device.excludesProcessors())
                : UNTOLD;
    }
}
