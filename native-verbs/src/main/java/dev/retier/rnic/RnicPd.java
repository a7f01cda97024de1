package dev.retier.rnic;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.lang.foreign.ValueLayout;

/** A protection domain. */
final class RnicPd extends IbvPd {
    final Usable usable;
    final RnicContext device;
    final long address;

    RnicPd(RnicContext device) throws IOException {
        super(device);
        this.device = device;
        this.usable = new Usable("protection domain", device);
        device.ensureThere();
        this.address = Calls.call(device.library.allocPd, device.address);
        if (address == 0) {
            throw device.library.failed("ibv_alloc_pd on " + device.deviceName());
        }
        try {
            Library.agree(
                    "ibv_pd.context",
                    device.address,
                    Calls.at(address, Layouts.size(Layouts.PD))
                            .get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.PD, "context")));
        } catch (IOException e) {
            Calls.call(device.library.deallocPd, address);
            throw e;
        }
        this.handle =
                Calls.at(address, Layouts.size(Layouts.PD)).get(ValueLayout.JAVA_INT, Layouts.at(Layouts.PD, "handle"));
    }

    void free() throws IOException {
        if (usable.end()) {
            int errno = device.isGone() ? 0 : (int) Calls.call(device.library.deallocPd, address);
            if (errno != 0) {
                usable.resume();
                throw device.library.failed(
                        "ibv_dealloc_pd; deregister its memory and destroy its queue pairs first", errno);
            }
            close();
        }
    }
}
