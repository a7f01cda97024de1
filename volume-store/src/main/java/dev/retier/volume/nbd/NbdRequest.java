package dev.retier.volume.nbd;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a client asks for once it has opened an export.
 *
 * @param command what to do; empty for one that is not known
 * @param flags as they came
 * @param cookie which the answer repeats
 * @param offset in the export, unsigned
 * @param length unsigned
 */
public record NbdRequest(Optional<Command> command, int flags, long cookie, long offset, int length) {
    /** Of one, without the data that follows a write. */
    public static final int BYTES = 28;

    private static final int MAGIC = 0x2560_9513;

    /** On the disk before it is answered. */
    private static final int FUA = 1;
    /** Zeros that keep their room. */
    private static final int NO_HOLE = 1 << 1;
    /** An answer of one piece. */
    private static final int ONE_PIECE = 1 << 2;
    /** One extent alone. */
    private static final int ONE_EXTENT = 1 << 3;

    /** What can be asked for; by their numbers. */
    public enum Command {
        /** Data. */
        READ(FUA | ONE_PIECE),
        /** Data follows. */
        WRITE(FUA),
        /** The client leaves; no answer. */
        DISCONNECT(0),
        /** All that was answered is on the disk. */
        FLUSH(FUA),
        /** Nobody needs it any more. */
        TRIM(FUA),
        /** It will be read soon. */
        CACHE(FUA),
        /** It reads as zeros. */
        WRITE_ZEROES(FUA | NO_HOLE),
        /** Which parts hold something. */
        BLOCK_STATUS(FUA | ONE_EXTENT);

        private final int flags;

        Command(int flags) {
            this.flags = flags;
        }

        private boolean isChange() {
            return this == WRITE || this == TRIM || this == WRITE_ZEROES;
        }
    }

    /** Reads one; empty where none begins, so that nobody knows where the next one would. */
    public static Optional<NbdRequest> parse(ByteBuffer bytes) {
        if (bytes.getInt() != MAGIC) {
            return Optional.empty();
        }
        int flags = Short.toUnsignedInt(bytes.getShort());
        int type = Short.toUnsignedInt(bytes.getShort());
        Command[] all = Command.values();
        Optional<Command> command = type < all.length ? Optional.of(all[type]) : Optional.empty();
        return Optional.of(new NbdRequest(command, flags, bytes.getLong(), bytes.getLong(), bytes.getInt()));
    }

    /** How many bytes follow it, unsigned. */
    public long bytesAfter() {
        return command.equals(Optional.of(Command.WRITE)) ? Integer.toUnsignedLong(length) : 0;
    }

    /** Whether it must be on the disk when it is answered. */
    public boolean isForced() {
        return (flags & FUA) != 0;
    }

    /** Whether zeros must have room of their own. */
    public boolean isWithoutHole() {
        return (flags & NO_HOLE) != 0;
    }

    /** Whether it wants to hear of one extent alone. */
    public boolean isOfOneExtent() {
        return (flags & ONE_EXTENT) != 0;
    }

    /** Why it is refused; empty when it is not. */
    public Optional<NbdError> refusal(Negotiation.Agreed agreed) {
        if (command.isEmpty() || (flags & ~command.get().flags) != 0) {
            return Optional.of(NbdError.INVALID);
        }
        if (agreed.export().isReadOnly() && command.get().isChange()) {
            return Optional.of(NbdError.NOT_PERMITTED);
        }
        return switch (command.get()) {
            case FLUSH, DISCONNECT -> Optional.empty();
            case READ -> length == 0 || isTooLong() ? Optional.of(NbdError.INVALID) : outside(agreed, NbdError.INVALID);
            case BLOCK_STATUS ->
                length == 0 || !agreed.isAllocationAsked()
                        ? Optional.of(NbdError.INVALID)
                        : outside(agreed, NbdError.INVALID);
            case WRITE -> isTooLong() ? Optional.of(NbdError.INVALID) : outside(agreed, NbdError.NO_SPACE);
            case WRITE_ZEROES -> outside(agreed, NbdError.NO_SPACE);
            case TRIM, CACHE -> outside(agreed, NbdError.INVALID);
        };
    }

    private boolean isTooLong() {
        return Integer.toUnsignedLong(length) > Export.MOST_BYTES;
    }

    private Optional<NbdError> outside(Negotiation.Agreed agreed, NbdError error) {
        long size = agreed.export().bytes();
        boolean isInside = offset >= 0 && offset <= size && Integer.toUnsignedLong(length) <= size - offset;
        return isInside ? Optional.empty() : Optional.of(error);
    }
}
