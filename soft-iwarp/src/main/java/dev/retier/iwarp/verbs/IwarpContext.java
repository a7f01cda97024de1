package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.DeviceLimits;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;

/** The context of a device. Its {@code cmd_fd} is the device's number: DiSNI keys its protection domains by it. */
final class IwarpContext extends IbvContext implements DeviceAttributes {
    private final Device device;

    IwarpContext(Device device) throws IOException {
        super(device.id(), 1);
        this.device = device;
    }

    @Override
    public String deviceName() {
        return "iwarp";
    }

    @Override
    public int maxCompletions() {
        return device.maxCompletions();
    }

    @Override
    public int maxWork() {
        return Math.min(limits().maxSendWork(), limits().maxReceiveWork());
    }

    @Override
    public int maxElements() {
        return limits().maxElements();
    }

    /** What comes is scattered here, whatever the wire says of it. */
    @Override
    public int maxReadElements() {
        return maxElements();
    }

    @Override
    public boolean hasAtomics() {
        return true;
    }

    @Override
    public boolean hasImmediates() {
        return true;
    }

    @Override
    public boolean excludesProcessors() {
        return true;
    }

    @Override
    public boolean tellsTerminates() {
        return true;
    }

    private DeviceLimits limits() {
        return device.config().limits();
    }

    Device device() {
        return device;
    }
}
