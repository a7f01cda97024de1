package dev.retier.agent.real;

import dev.retier.config.HostPort;
import dev.retier.testsupport.FreePorts;

/** Free ports of loopback. */
final class Ports {
    private Ports() {}

    static HostPort free() {
        return free("127.0.0.1");
    }

    static HostPort free(String host) {
        return new HostPort(host, FreePorts.next());
    }
}
