package dev.retier.volume.serve;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which clients are connected, and which of them has been seen to write to a volume: by what people know them. Not
 * thread-safe.
 */
final class ClientsSeen {
    private final Map<Long, ServedClient> connected = new HashMap<>();
    /** By volume. */
    private final Map<Integer, Writer> writers = new HashMap<>();

    /** @param connection null when it has none */
    private record Writer(
            String name, Instant since, @Nullable ServedClient connection) {}

    /** It counts, unless its client has come by a newer connection already: this may be told late. */
    void connected(ServedClient client) {
        connected.merge(client.life(), client, (there, told) -> told.number() < there.number() ? there : told);
    }

    void lost(ServedClient client) {
        connected.remove(client.life(), client);
        writers.replaceAll(
                (_, writer) -> client.equals(writer.connection) ? new Writer(writer.name, writer.since, null) : writer);
    }

    /** Whether this is the connection by which its client asks now. */
    boolean isCurrent(ServedClient client) {
        return client.equals(connected.get(client.life()));
    }

    /** It writes to a volume from now on; who has done so before comes by another connection. */
    void writes(int volume, ServedClient client) {
        writers.put(volume, new Writer(client.name(), since(volume, Instant.now()), client));
    }

    /** Nobody writes to a volume. */
    void writesNoMore(int volume) {
        writers.remove(volume);
    }

    /** By which connection somebody writes to a volume. */
    @Nullable
    ServedClient writer(int volume) {
        Writer writer = writers.get(volume);
        return writer == null ? null : writer.connection;
    }

    /** Since when somebody writes to a volume; {@code unknown} if that was not seen. */
    Instant since(int volume, Instant unknown) {
        Writer writer = writers.get(volume);
        return writer == null ? unknown : writer.since;
    }

    /** What the client is called that has, or had, a volume to write to. */
    String name(int volume, long client) {
        Writer known = writers.get(volume);
        return connected.containsKey(client) || known == null ? name(client) : known.name;
    }

    String name(long client) {
        ServedClient there = connected.get(client);
        return there == null ? "a client that is away (" + Long.toHexString(client) + ")" : there.name();
    }
}
