package dev.retier.volume.wire;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A volume of a server, or a snapshot, as a list of them has it.
 *
 * <pre>
 *  number 4 | epoch 4 | bytes 8 | parent 4 | allocated 8 | bytes of the name 4 | bytes of the writer 4 | name | writer
 * </pre>
 *
 * @param number at its server
 * @param epoch of its last attachment for writing, unsigned
 * @param bytes its size
 * @param writer what the client is called that has it attached to write; empty if none has
 * @param parent number of the volume of which it is a snapshot; 0 for a volume
 * @param allocated bytes of the clusters that it has, alone or together with others
 */
public record Listing(int number, VolumeName name, long bytes, int epoch, String writer, int parent, long allocated) {
    private static final int FIXED_BYTES = 36;

    /** Appends it, if there is room; whether there was. */
    public boolean put(ByteBuffer into) {
        byte[] text = name.value().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer who = new ClientName(writer).encode();
        if (into.remaining() < FIXED_BYTES + text.length + who.remaining()) {
            return false;
        }
        into.order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .putInt(epoch)
                .putLong(bytes)
                .putInt(parent)
                .putLong(allocated)
                .putInt(text.length)
                .putInt(who.remaining())
                .put(text)
                .put(who);
        return true;
    }

    /** All of {@code from}; empty if that is no list. */
    public static Optional<List<Listing>> all(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<Listing> found = new ArrayList<>();
        while (bytes.hasRemaining()) {
            Optional<Listing> next = next(bytes);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            found.add(next.get());
        }
        return Optional.of(found);
    }

    /** The one at the position, which is behind it then; empty if there is none. */
    static Optional<Listing> next(ByteBuffer bytes) {
        if (bytes.remaining() < FIXED_BYTES) {
            return Optional.empty();
        }
        int number = bytes.getInt();
        int epoch = bytes.getInt();
        long size = bytes.getLong();
        int parent = bytes.getInt();
        long allocated = bytes.getLong();
        int nameBytes = bytes.getInt();
        int writerBytes = bytes.getInt();
        if (nameBytes < 0 || writerBytes < 0 || (long) nameBytes + writerBytes > bytes.remaining()) {
            return Optional.empty();
        }
        Optional<VolumeName> name = VolumeName.parse(text(bytes, nameBytes));
        String writer = new ClientName(text(bytes, writerBytes)).value();
        return name.map(good -> new Listing(number, good, size, epoch, writer, parent, allocated));
    }

    private static String text(ByteBuffer from, int length) {
        byte[] text = new byte[length];
        from.get(text);
        return new String(text, StandardCharsets.US_ASCII);
    }
}
