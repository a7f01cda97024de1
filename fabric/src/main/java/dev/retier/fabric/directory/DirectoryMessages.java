package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests and answers as bytes, big-endian: one octet for the kind, then the fields in the order of their records.
 * Names, details and lists are preceded by their length in 16 bits, what may be absent by an octet 0 or 1. What does
 * not parse to the last byte gives nothing; no length is believed before it is checked. Stateless.
 */
public final class DirectoryMessages {
    /** The longest message: a report of two records with the most parts and grants, with room to spare. */
    public static final int MAX_BYTES = 8 * 1024;

    private static final int MAX_DETAIL = 200;
    private static final int MASK_16 = 0xFFFF;

    private static final byte CREATE = 1;
    private static final byte LOOK_UP = 2;
    private static final byte GRANT = 3;
    private static final byte MOVE = 4;
    private static final byte FREE = 5;
    private static final byte REPORT = 6;
    private static final byte REPORTED = 7;
    private static final byte ALLOCATE = 8;
    private static final byte SEAL = 9;
    private static final byte FETCH = 10;
    private static final byte SETTLE = 11;
    private static final byte OPEN = 12;
    private static final byte CLOSE = 13;
    private static final byte FIND = 14;
    private static final byte REVOKE = 15;

    private static final byte DONE = 64;
    private static final byte FOUND = 65;
    private static final byte KEYS = 66;
    private static final byte REFUSED = 67;

    private DirectoryMessages() {}

    /** Something in a message that cannot be. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private interface Parser<T> {
        T parse(ByteBuffer in) throws Malformed;
    }

    /** The bytes of {@code request}, from position to limit. */
    public static ByteBuffer emit(RegionRequest request) {
        ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
        switch (request) {
            case RegionRequest.Create(RegionRecord wanted) -> put(out.put(CREATE), wanted);
            case RegionRequest.LookUp(RegionName name) -> put(out.put(LOOK_UP), name);
            case RegionRequest.Grant(RegionName name, long id, NodeId node, Permissions permissions) ->
                put(put(put(out.put(GRANT), name).putLong(id), node), permissions);
            case RegionRequest.Move(RegionName name, long id, NodeId from, NodeId to) ->
                put(put(put(out.put(MOVE), name).putLong(id), from), to);
            case RegionRequest.Free(RegionName name, long id) ->
                put(out.put(FREE), name).putLong(id);
            case RegionRequest.Report(Optional<RegionRecord> settled, Optional<RegionRecord> pending) ->
                put(put(out.put(REPORT), settled), pending);
            case RegionRequest.Reported() -> out.put(REPORTED);
            case RegionRequest.Allocate(RegionRecord planned, List<Integer> parts, boolean zeros) ->
                putParts(put(out.put(ALLOCATE), planned).put((byte) (zeros ? 1 : 0)), parts);
            case RegionRequest.Seal(RegionRecord planned, NodeId to) -> put(put(out.put(SEAL), planned), to);
            case RegionRequest.Fetch(RegionRecord planned, NodeId from, List<PartKey> keys) ->
                put(put(put(out.put(FETCH), planned), from), keys);
            case RegionRequest.Settle(RegionRecord region) -> put(out.put(SETTLE), region);
            case RegionRequest.Open(long id, long handle, Permissions permissions) ->
                put(out.put(OPEN).putLong(id).putLong(handle), permissions);
            case RegionRequest.Close(long id, long handle) ->
                out.put(CLOSE).putLong(id).putLong(handle);
            case RegionRequest.Find(RegionName name) -> put(out.put(FIND), name);
            case RegionRequest.Revoke(long handle, RegionFailure why) ->
                out.put(REVOKE).putLong(handle).put((byte) why.code());
        }
        return out.flip();
    }

    /**
     * The bytes of {@code answer}, from position to limit.
     *
     * @throws IllegalArgumentException if it does not travel
     */
    public static ByteBuffer emit(RegionAnswer answer) {
        ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
        switch (answer) {
            case RegionAnswer.Done() -> out.put(DONE);
            case RegionAnswer.Found(RegionRecord region) -> put(out.put(FOUND), region);
            case RegionAnswer.Keys(List<PartKey> keys) -> put(out.put(KEYS), keys);
            case RegionAnswer.Refused(RegionFailure failure, String detail) ->
                put(out.put(REFUSED).put((byte) failure.code()), detail);
            case RegionAnswer.Mapped mapped -> throw new IllegalArgumentException(mapped + " stays where it is");
        }
        return out.flip();
    }

    /** The request in {@code bytes}, if it is one. */
    public static Optional<RegionRequest> request(ByteBuffer bytes) {
        return whole(bytes, DirectoryMessages::parseRequest);
    }

    /** The answer in {@code bytes}, if it is one. */
    public static Optional<RegionAnswer> answer(ByteBuffer bytes) {
        return whole(bytes, DirectoryMessages::parseAnswer);
    }

    private static <T> Optional<T> whole(ByteBuffer bytes, Parser<T> parser) {
        try {
            T parsed = parser.parse(bytes);
            return bytes.hasRemaining() ? Optional.empty() : Optional.of(parsed);
        } catch (Malformed | BufferUnderflowException | IllegalArgumentException bad) {
            return Optional.empty();
        }
    }

    private static RegionRequest parseRequest(ByteBuffer in) throws Malformed {
        byte kind = in.get();
        return switch (kind) {
            case CREATE -> new RegionRequest.Create(region(in));
            case LOOK_UP -> new RegionRequest.LookUp(name(in));
            case GRANT -> new RegionRequest.Grant(name(in), in.getLong(), node(in), permissions(in));
            case MOVE -> new RegionRequest.Move(name(in), in.getLong(), node(in), node(in));
            case FREE -> new RegionRequest.Free(name(in), in.getLong());
            case REPORT -> new RegionRequest.Report(optional(in), optional(in));
            case REPORTED -> new RegionRequest.Reported();
            case ALLOCATE -> allocate(in);
            case SEAL -> new RegionRequest.Seal(region(in), node(in));
            case FETCH -> new RegionRequest.Fetch(region(in), node(in), keys(in));
            case SETTLE -> new RegionRequest.Settle(region(in));
            case OPEN -> new RegionRequest.Open(in.getLong(), in.getLong(), permissions(in));
            case CLOSE -> new RegionRequest.Close(in.getLong(), in.getLong());
            case FIND -> new RegionRequest.Find(name(in));
            case REVOKE -> new RegionRequest.Revoke(in.getLong(), failure(in));
            default -> throw new Malformed();
        };
    }

    private static RegionAnswer parseAnswer(ByteBuffer in) throws Malformed {
        byte kind = in.get();
        return switch (kind) {
            case DONE -> new RegionAnswer.Done();
            case FOUND -> new RegionAnswer.Found(region(in));
            case KEYS -> new RegionAnswer.Keys(keys(in));
            case REFUSED -> new RegionAnswer.Refused(failure(in), text(in, MAX_DETAIL));
            default -> throw new Malformed();
        };
    }

    private static ByteBuffer put(ByteBuffer out, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        int length = Math.min(ascii.length, MAX_DETAIL);
        return out.putShort((short) length).put(ascii, 0, length);
    }

    private static ByteBuffer put(ByteBuffer out, RegionName name) {
        return put(out, name.value());
    }

    private static ByteBuffer put(ByteBuffer out, NodeId node) {
        return out.putShort((short) node.value());
    }

    private static ByteBuffer put(ByteBuffer out, Permissions permissions) {
        return out.put((byte) permissions.bits());
    }

    private static ByteBuffer put(ByteBuffer out, List<PartKey> keys) {
        out.putShort((short) keys.size());
        keys.forEach(
                key -> out.putShort((short) key.index()).putLong(key.address()).putInt(key.key()));
        return out;
    }

    private static ByteBuffer put(ByteBuffer out, Optional<RegionRecord> region) {
        out.put((byte) (region.isPresent() ? 1 : 0));
        region.ifPresent(present -> put(out, present));
        return out;
    }

    private static ByteBuffer put(ByteBuffer out, RegionRecord region) {
        put(out, region.name()).putLong(region.id()).putLong(region.version());
        out.putLong(region.shape().lengthBytes()).putLong(region.shape().partBytes());
        out.putShort((short) region.placement().size());
        region.placement().forEach(node -> put(out, node));
        put(out, region.rights().others())
                .putShort((short) region.rights().grants().size());
        region.rights().grants().forEach((node, permissions) -> put(put(out, node), permissions));
        return out;
    }

    private static RegionRecord region(ByteBuffer in) throws Malformed {
        RegionName name = name(in);
        long id = in.getLong();
        long version = in.getLong();
        Shape shape = new Shape(in.getLong(), in.getLong());
        int places = length(in, RegionSpec.MAX_PARTS);
        List<NodeId> placement = new ArrayList<>(places);
        for (int i = 0; i < places; i++) {
            placement.add(node(in));
        }
        Permissions others = permissions(in);
        int count = length(in, RegionRecord.Rights.MAX_GRANTS);
        Map<NodeId, Permissions> grants = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            grants.put(node(in), permissions(in));
        }
        return new RegionRecord(name, id, version, shape, placement, new RegionRecord.Rights(others, grants));
    }

    private static Optional<RegionRecord> optional(ByteBuffer in) throws Malformed {
        byte present = in.get();
        if (present != 0 && present != 1) {
            throw new Malformed();
        }
        return present == 0 ? Optional.empty() : Optional.of(region(in));
    }

    private static ByteBuffer putParts(ByteBuffer out, List<Integer> parts) {
        out.putShort((short) parts.size());
        parts.forEach(part -> out.putShort((short) (int) part));
        return out;
    }

    private static RegionRequest allocate(ByteBuffer in) throws Malformed {
        RegionRecord planned = region(in);
        boolean zeros = in.get() != 0;
        int count = length(in, RegionSpec.MAX_PARTS);
        List<Integer> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int part = in.getShort() & MASK_16;
            if (part >= planned.placement().size()) {
                throw new Malformed();
            }
            parts.add(part);
        }
        return new RegionRequest.Allocate(planned, parts, zeros);
    }

    private static List<PartKey> keys(ByteBuffer in) throws Malformed {
        int count = length(in, RegionSpec.MAX_PARTS);
        List<PartKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(new PartKey(in.getShort() & MASK_16, in.getLong(), in.getInt()));
        }
        return keys;
    }

    private static RegionName name(ByteBuffer in) throws Malformed {
        return new RegionName(text(in, RegionName.MAX_LENGTH));
    }

    private static String text(ByteBuffer in, int most) throws Malformed {
        byte[] ascii = new byte[length(in, most)];
        in.get(ascii);
        return new String(ascii, StandardCharsets.US_ASCII);
    }

    private static NodeId node(ByteBuffer in) {
        return new NodeId(in.getShort() & MASK_16);
    }

    private static Permissions permissions(ByteBuffer in) {
        return new Permissions(in.get());
    }

    private static RegionFailure failure(ByteBuffer in) throws Malformed {
        return RegionFailure.ofCode(in.get()).orElseThrow(Malformed::new);
    }

    private static int length(ByteBuffer in, int most) throws Malformed {
        int length = in.getShort() & MASK_16;
        if (length > most) {
            throw new Malformed();
        }
        return length;
    }
}
