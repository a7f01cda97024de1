package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.net.Device;
import java.io.IOException;

/** A memory region. Local and remote key are both its STag. */
public final class IwarpMr extends IbvMr {
    private final Device device;
    private final MemoryRegion region;

    IwarpMr(IbvContext context, Device device, MemoryRegion region) throws IOException {
        super(
                context,
                region.address(),
                (int) Math.min(region.length(), Integer.MAX_VALUE),
                region.rights(),
                region.stag(),
                region.stag(),
                region.stag());
        this.device = device;
        this.region = region;
    }

    /** Bytes of the region, which may exceed what {@link #getLength} can say. */
    public long lengthBytes() {
        return region.length();
    }

    /** Revokes the region. When this returns, nothing touches its memory any more. */
    void revoke() {
        close();
        device.regions().deregister(region);
    }
}
