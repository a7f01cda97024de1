package dev.retier.agent.real;

import dev.retier.config.HostPort;
import dev.retier.testsupport.FreePorts;

/** Free ports of loopback. */
final class Ports {
    private Ports() {}

    static HostPort free() {
        return new HostPort("127.0.0.1", FreePorts.next());
    }
}
