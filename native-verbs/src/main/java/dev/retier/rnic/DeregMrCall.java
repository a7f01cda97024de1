package dev.retier.rnic;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/** Deregisters memory. */
final class DeregMrCall extends SVCDeregMr {
    private final RnicMr region;
    private boolean valid = true;

    DeregMrCall(RnicMr region) {
        this.region = region;
    }

    @Override
    public SVCDeregMr execute() throws IOException {
        region.revoke();
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCDeregMr free() {
        valid = false;
        return this;
    }
}
