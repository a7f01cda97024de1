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
 *  number 4 | epoch 4 | bytes 8 | client 4 | parent 4 | allocated 8 | bytes of the name 4 | name
 * </pre>
 *
 * @param number at its server
 * @param epoch of its last attachment, unsigned
 * @param bytes its size
 * @param client that has it attached; 0 if none has
 * @param parent number of the volume of which it is a snapshot; 0 for a volume
 * @param allocated bytes of the clusters that it has, alone or together with others
 */
public record Listing(int number, VolumeName name, long bytes, int epoch, int client, int parent, long allocated) {
    private static final int FIXED_BYTES = 36;

    /** Appends it, if there is room; whether there was. */
    public boolean put(ByteBuffer into) {
        byte[] text = name.value().getBytes(StandardCharsets.US_ASCII);
        if (into.remaining() < FIXED_BYTES + text.length) {
            return false;
        }
        into.order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .putInt(epoch)
                .putLong(bytes)
                .putInt(client)
                .putInt(parent)
                .putLong(allocated)
                .putInt(text.length)
                .put(text);
        return true;
    }

    /** All of {@code from}; empty if that is no list. */
    public static Optional<List<Listing>> all(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<Listing> found = new ArrayList<>();
        while (bytes.hasRemaining()) {
            if (bytes.remaining() < FIXED_BYTES) {
                return Optional.empty();
            }
            int number = bytes.getInt();
            int epoch = bytes.getInt();
            long size = bytes.getLong();
            int client = bytes.getInt();
            int parent = bytes.getInt();
            long allocated = bytes.getLong();
            int length = bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                return Optional.empty();
            }
            byte[] text = new byte[length];
            bytes.get(text);
            Optional<VolumeName> name = VolumeName.parse(new String(text, StandardCharsets.US_ASCII));
            if (name.isEmpty()) {
                return Optional.empty();
            }
            found.add(new Listing(number, name.get(), size, epoch, client, parent, allocated));
        }
        return Optional.of(found);
    }
}
