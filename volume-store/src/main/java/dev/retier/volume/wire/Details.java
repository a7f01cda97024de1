package dev.retier.volume.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that a server tells of one volume.
 *
 * <pre>
 *  as in a list | written since 8 | readers 4 | each: bytes 4, name
 * </pre>
 *
 * @param volume as a list has it
 * @param sinceMillis when its writer attached it, or came back to a server that was started anew, by the server's
 *     clock; 0 if there is none
 * @param readers what the clients are called that read it, as many as there is room for
 */
public record Details(Listing volume, long sinceMillis, List<String> readers) {
    private static final int FIXED_BYTES = 12;

    /** Copies the list. */
    public Details {
        readers = List.copyOf(readers);
    }

    /** Puts it into {@code into}, which has room for one without readers. */
    public void put(ByteBuffer into) {
        volume.put(into);
        into.order(ByteOrder.LITTLE_ENDIAN).putLong(sinceMillis);
        int place = into.position();
        into.putInt(0);
        int told = 0;
        for (String reader : readers) {
            ByteBuffer name = new ClientName(reader).encode();
            if (into.remaining() < Integer.BYTES + name.remaining()) {
                break;
            }
            into.putInt(name.remaining()).put(name);
            told++;
        }
        into.putInt(place, told);
    }

    /** What was put; empty if that cannot have been. */
    public static Optional<Details> parse(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        Optional<Listing> volume = Listing.next(bytes);
        if (volume.isEmpty() || bytes.remaining() < FIXED_BYTES) {
            return Optional.empty();
        }
        long since = bytes.getLong();
        int count = bytes.getInt();
        List<String> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                return Optional.empty();
            }
            readers.add(ClientName.of(bytes.slice(bytes.position(), length)).value());
            bytes.position(bytes.position() + length);
        }
        return Optional.of(new Details(volume.get(), since, readers));
    }
}
