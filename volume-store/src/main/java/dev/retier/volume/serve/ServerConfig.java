package dev.retier.volume.serve;

import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import java.net.InetSocketAddress;

/**
 * How a volume server serves.
 *
 * @param listen where it takes connections
 * @param secrets what its clients prove
 * @param transport which provider of the verbs API to use
 * @param limits of its memory and threads
 * @param times how long it waits for whom
 * @param care of what it has
 */
public record ServerConfig(
        InetSocketAddress listen, SecretSource secrets, Transport transport, Limits limits, Times times, Care care) {}
