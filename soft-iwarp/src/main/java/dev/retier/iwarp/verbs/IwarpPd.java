package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvPd;
import dev.retier.iwarp.net.Device;
import java.io.IOException;

/** A protection domain. */
final class IwarpPd extends IbvPd {
    private final Device device;

    IwarpPd(IwarpContext context) throws IOException {
        super(context);
        this.device = context.device();
        this.handle = device.newDomain();
    }

    Device device() {
        return device;
    }

    int number() {
        return handle;
    }
}
