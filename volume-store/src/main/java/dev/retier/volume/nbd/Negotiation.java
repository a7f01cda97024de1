package dev.retier.volume.nbd;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The handshake of one connection, fixed newstyle. Feed it as many bytes as it {@linkplain #wanted wants}, send what it
 * {@linkplain #take answers}, until it is {@linkplain #isOver over}. Not thread-safe.
 */
public final class Negotiation {
    private static final long MAGIC = 0x4e42_444d_4147_4943L;
    private static final long OPTION_MAGIC = 0x4948_4156_454f_5054L;
    private static final long REPLY_MAGIC = 0x0003_e889_0455_65a9L;

    private static final int FIXED_NEWSTYLE = 1;
    private static final int NO_ZEROES = 1 << 1;

    private static final int FLAGS_BYTES = 4;
    private static final int OPTION_BYTES = 16;
    private static final int REPLY_BYTES = 20;
    private static final int ZEROES = 124;
    /** Two names of the length that the protocol allows, and what is around them. */
    private static final int MOST_OPTION_BYTES = 16 << 10;

    private static final int MOST_NAME_BYTES = 4096;
    /** After that many options nobody means to open anything. */
    private static final int MOST_OPTIONS = 1000;

    private static final int EXPORT_NAME = 1;
    private static final int ABORT = 2;
    private static final int LIST = 3;
    private static final int INFO = 6;
    private static final int GO = 7;
    private static final int STRUCTURED_REPLY = 8;
    private static final int LIST_META_CONTEXT = 9;
    private static final int SET_META_CONTEXT = 10;

    private static final int ACK = 1;
    private static final int SERVER = 2;
    private static final int INFO_REPLY = 3;
    private static final int META_CONTEXT = 4;
    private static final int ERROR = 1 << 31;
    private static final int UNSUPPORTED = ERROR + 1;
    private static final int INVALID = ERROR + 3;
    private static final int UNKNOWN = ERROR + 6;

    private static final short INFO_EXPORT = 0;
    private static final short INFO_NAME = 1;
    private static final short INFO_BLOCK_SIZE = 3;

    private static final String BASE = "base:";
    private static final String ALLOCATION = BASE + "allocation";
    /** The number by which answers name the one context that there is. */
    static final int ALLOCATION_ID = 1;

    /**
     * What was agreed.
     *
     * @param export what is open
     * @param areRepliesStructured whether answers may come in pieces, each with its kind
     * @param isAllocationAsked whether the client may ask which parts hold something
     */
    public record Agreed(Export export, boolean areRepliesStructured, boolean isAllocationAsked) {}

    private enum State {
        FLAGS,
        OPTION,
        DATA,
        OVER
    }

    private final List<String> names;
    private final Function<String, Optional<Export>> exports;
    private State state = State.FLAGS;
    private boolean hasNoZeroes;
    private boolean areRepliesStructured;
    /** Of which export the client has set it; empty for none. */
    private Optional<String> allocationOf = Optional.empty();

    private int options;
    private int option;
    private int length;
    private Optional<Agreed> agreed = Optional.empty();

    /**
     * A connection that has just been made.
     *
     * @param names what a client may be told that there is
     * @param exports the one of that name; of the empty name the one that a client gets which names none
     */
    public Negotiation(List<String> names, Function<String, Optional<Export>> exports) {
        this.names = List.copyOf(names);
        this.exports = exports;
    }

    /** What is sent before anything has come. */
    public static ByteBuffer greeting() {
        return ByteBuffer.allocate(18)
                .putLong(MAGIC)
                .putLong(OPTION_MAGIC)
                .putShort((short) (FIXED_NEWSTYLE | NO_ZEROES))
                .flip();
    }

    /** How many bytes the next {@link #take} must be given. */
    public int wanted() {
        return switch (state) {
            case FLAGS -> FLAGS_BYTES;
            case OPTION -> OPTION_BYTES;
            case DATA -> length;
            case OVER -> 0;
        };
    }

    /** Whether nothing more is to be taken: requests follow if something was agreed, else the connection ends. */
    public boolean isOver() {
        return state == State.OVER;
    }

    /** What was agreed, once it is over; empty if the client left, or said what no client says. */
    public Optional<Agreed> agreed() {
        return agreed;
    }

    /** Takes what it wanted; returns what to send, which may be nothing. */
    public ByteBuffer take(ByteBuffer bytes) {
        return switch (state) {
            case FLAGS -> flags(bytes.getInt());
            case OPTION -> option(bytes);
            case DATA -> answer(bytes);
            case OVER -> throw new IllegalStateException("the handshake is over");
        };
    }

    private ByteBuffer nothing() {
        return ByteBuffer.allocate(0);
    }

    private ByteBuffer end() {
        state = State.OVER;
        return nothing();
    }

    private ByteBuffer flags(int flags) {
        boolean areKnown = (flags & ~(FIXED_NEWSTYLE | NO_ZEROES)) == 0;
        if (!areKnown || (flags & FIXED_NEWSTYLE) == 0) {
            return end();
        }
        hasNoZeroes = (flags & NO_ZEROES) != 0;
        state = State.OPTION;
        return nothing();
    }

    private ByteBuffer option(ByteBuffer bytes) {
        long magic = bytes.getLong();
        option = bytes.getInt();
        length = bytes.getInt();
        boolean isTooMuch = length < 0 || length > MOST_OPTION_BYTES || ++options > MOST_OPTIONS;
        if (magic != OPTION_MAGIC || isTooMuch) {
            return end();
        }
        state = State.DATA;
        return length == 0 ? answer(nothing()) : nothing();
    }

    private ByteBuffer answer(ByteBuffer data) {
        state = State.OPTION;
        return switch (option) {
            case EXPORT_NAME -> exportName(data);
            case ABORT -> {
                state = State.OVER;
                yield reply(ACK, nothing());
            }
            case LIST -> data.hasRemaining() ? refuse(INVALID, "LIST has no data") : list();
            case INFO, GO -> info(data);
            case STRUCTURED_REPLY -> {
                if (data.hasRemaining()) {
                    yield refuse(INVALID, "STRUCTURED_REPLY has no data");
                }
                areRepliesStructured = true;
                yield reply(ACK, nothing());
            }
            case LIST_META_CONTEXT, SET_META_CONTEXT -> contexts(data);
            default -> refuse(UNSUPPORTED, "this server knows no option " + Integer.toUnsignedString(option));
        };
    }

    private ByteBuffer reply(int type, ByteBuffer data) {
        return ByteBuffer.allocate(REPLY_BYTES + data.remaining())
                .putLong(REPLY_MAGIC)
                .putInt(option)
                .putInt(type)
                .putInt(data.remaining())
                .put(data)
                .flip();
    }

    private ByteBuffer refuse(int type, String why) {
        return reply(type, ByteBuffer.wrap(why.getBytes(StandardCharsets.UTF_8)));
    }

    private static ByteBuffer join(List<ByteBuffer> parts) {
        ByteBuffer all = ByteBuffer.allocate(
                parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.flip();
    }

    /** An old way to open one: who names what is not there learns it by the end of the connection. */
    private ByteBuffer exportName(ByteBuffer data) {
        state = State.OVER;
        Optional<Export> named = exports.apply(text(data));
        if (named.isEmpty()) {
            return nothing();
        }
        agree(named.get());
        int zeroes = hasNoZeroes ? 0 : ZEROES;
        return ByteBuffer.allocate(Long.BYTES + Short.BYTES + zeroes)
                .putLong(named.get().bytes())
                .putShort(named.get().flags(areRepliesStructured))
                .rewind();
    }

    private void agree(Export export) {
        boolean isAllocationAsked = areRepliesStructured && allocationOf.equals(Optional.of(export.name()));
        agreed = Optional.of(new Agreed(export, areRepliesStructured, isAllocationAsked));
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(data).toString();
    }

    private ByteBuffer list() {
        List<ByteBuffer> replies = new ArrayList<>();
        for (String name : names) {
            byte[] word = name.getBytes(StandardCharsets.UTF_8);
            replies.add(reply(
                    SERVER,
                    ByteBuffer.allocate(Integer.BYTES + word.length)
                            .putInt(word.length)
                            .put(word)
                            .flip()));
        }
        replies.add(reply(ACK, nothing()));
        return join(replies);
    }

    private ByteBuffer info(ByteBuffer data) {
        Optional<String> name = name(data);
        if (name.isEmpty() || data.remaining() < Short.BYTES) {
            return refuse(INVALID, "no name where one should be");
        }
        int count = Short.toUnsignedInt(data.getShort());
        if (data.remaining() != count * Short.BYTES) {
            return refuse(INVALID, "as many kinds of information as it says, and no more");
        }
        Optional<Export> named = exports.apply(name.get());
        if (named.isEmpty()) {
            return refuse(UNKNOWN, "there is no export \"" + name.get() + "\"");
        }
        Export export = named.get();
        if (option == GO) {
            agree(export);
            state = State.OVER;
        }
        return join(List.of(
                reply(
                        INFO_REPLY,
                        ByteBuffer.allocate(12)
                                .putShort(INFO_EXPORT)
                                .putLong(export.bytes())
                                .putShort(export.flags(areRepliesStructured))
                                .flip()),
                reply(INFO_REPLY, exportName(export)),
                reply(
                        INFO_REPLY,
                        ByteBuffer.allocate(14)
                                .putShort(INFO_BLOCK_SIZE)
                                .putInt(1)
                                .putInt(Export.BEST_BYTES)
                                .putInt(Export.MOST_BYTES)
                                .flip()),
                reply(ACK, nothing())));
    }

    private static ByteBuffer exportName(Export export) {
        byte[] name = export.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Short.BYTES + name.length)
                .putShort(INFO_NAME)
                .put(name)
                .flip();
    }

    /** A length, and a name of that length; empty if it is not all there. */
    private static Optional<String> name(ByteBuffer data) {
        if (data.remaining() < Integer.BYTES) {
            return Optional.empty();
        }
        int bytes = data.getInt();
        if (bytes < 0 || bytes > MOST_NAME_BYTES || bytes > data.remaining()) {
            return Optional.empty();
        }
        ByteBuffer name = data.slice(data.position(), bytes);
        data.position(data.position() + bytes);
        return Optional.of(text(name));
    }

    /** Which of what may be asked of the parts of an export there is: one alone. */
    private ByteBuffer contexts(ByteBuffer data) {
        boolean isSet = option == SET_META_CONTEXT;
        if (isSet) {
            allocationOf = Optional.empty();
        }
        Optional<String> name = name(data);
        Optional<List<String>> queries = name.flatMap(_ -> queries(data));
        if (queries.isEmpty() || !areRepliesStructured) {
            return refuse(INVALID, "a name and its queries, after STRUCTURED_REPLY");
        }
        Optional<Export> named = exports.apply(name.orElseThrow());
        if (named.isEmpty()) {
            return refuse(UNKNOWN, "there is no export \"" + name.get() + "\"");
        }
        boolean isListed = queries.get().isEmpty() || queries.get().contains(BASE);
        boolean isAllocation = queries.get().contains(ALLOCATION) || (!isSet && isListed);
        if (!isAllocation) {
            return reply(ACK, nothing());
        }
        if (isSet) {
            allocationOf = Optional.of(named.get().name());
        }
        byte[] word = ALLOCATION.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer context = ByteBuffer.allocate(Integer.BYTES + word.length)
                .putInt(ALLOCATION_ID)
                .put(word);
        return join(List.of(reply(META_CONTEXT, context.flip()), reply(ACK, nothing())));
    }

    private static Optional<List<String>> queries(ByteBuffer data) {
        if (data.remaining() < Integer.BYTES) {
            return Optional.empty();
        }
        int count = data.getInt();
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Optional<String> query = name(data);
            if (query.isEmpty()) {
                return Optional.empty();
            }
            found.add(query.get());
        }
        return count < 0 || data.hasRemaining() ? Optional.empty() : Optional.of(found);
    }
}
