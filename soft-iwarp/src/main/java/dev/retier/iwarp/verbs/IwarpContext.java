package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.iwarp.net.Device;
import java.io.IOException;

/** The context of a device. Its {@code cmd_fd} is the device's number: DiSNI keys its protection domains by it. */
final class IwarpContext extends IbvContext {
    private final Device device;

    IwarpContext(Device device) throws IOException {
        super(device.id(), 1);
        this.device = device;
    }

    Device device() {
        return device;
    }
}
