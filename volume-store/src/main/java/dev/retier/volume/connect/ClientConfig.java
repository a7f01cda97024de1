package dev.retier.volume.connect;

import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.volume.wire.ClientName;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * How a client uses a volume server.
 *
 * @param server where it listens
 * @param secrets what both prove
 * @param transport which provider of the verbs API to use
 * @param lostAfter for how long requests wait for a lost connection before they fail; empty: for ever
 * @param unflushedBytes of a volume that were answered and not flushed, which are kept here so that they can be sent
 *     again; with more it flushes by itself
 * @param name what the client is called, for people at the server
 * @param stall after which a connection whose provider does not answer ends
 * @param completion how it learns of answers
 */
public record ClientConfig(
        InetSocketAddress server,
        SecretSource secrets,
        Transport transport,
        Optional<Duration> lostAfter,
        long unflushedBytes,
        ClientName name,
        Duration stall,
        Completion completion) {
    /** With 60 s, 64 MiB, 2 s, and what {@link Completion#DEFAULT} says, named by this process. */
    public static ClientConfig of(InetSocketAddress server, SecretSource secrets, Transport transport) {
        ClientName name = new ClientName("process " + ProcessHandle.current().pid());
        return new ClientConfig(
                server,
                secrets,
                transport,
                Optional.of(Duration.ofSeconds(60)),
                64L << 20,
                name,
                Duration.ofSeconds(2),
                Completion.DEFAULT);
    }

    /** The same, which gives up a lost connection after that. */
    public ClientConfig withLostAfter(Optional<Duration> after) {
        return new ClientConfig(server, secrets, transport, after, unflushedBytes, name, stall, completion);
    }

    /** The same, which keeps so many bytes of a volume at most. */
    public ClientConfig withUnflushedBytes(long most) {
        return new ClientConfig(server, secrets, transport, lostAfter, most, name, stall, completion);
    }

    /** The same, by that name. */
    public ClientConfig withName(ClientName called) {
        return new ClientConfig(server, secrets, transport, lostAfter, unflushedBytes, called, stall, completion);
    }

    /** The same, which learns of answers so. */
    public ClientConfig withCompletion(Completion how) {
        return new ClientConfig(server, secrets, transport, lostAfter, unflushedBytes, name, stall, how);
    }
}
