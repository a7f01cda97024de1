package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/** Deregisters memory. */
final class DeregMrCall extends SVCDeregMr {
    private final IwarpMr region;
    private boolean valid = true;

    DeregMrCall(IwarpMr region) {
        this.region = region;
    }

    @Override
    public SVCDeregMr execute() throws IOException {
        if (!region.isOpen()) {
            throw new IOException("the region was deregistered before");
        }
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
