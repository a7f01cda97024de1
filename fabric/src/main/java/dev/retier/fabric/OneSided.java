package dev.retier.fabric;

import com.ibm.disni.verbs.IbvSge;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A one-sided operation on a peer's memory: the peer's processor has no part in it. */
public sealed interface OneSided {
    /** A piece of this side's memory. */
    record Piece(Registration memory, long offset, int lengthBytes) {
        /** All of it; at most 2 GiB. */
        public static Piece all(Registration memory) {
            return new Piece(memory, 0, Math.toIntExact(memory.memory().byteSize()));
        }

        IbvSge element() {
            return memory.element(offset, lengthBytes);
        }

        long word() {
            return memory.memory().get(ValueLayout.JAVA_LONG, offset);
        }
    }

    /** From the peer's memory into the pieces, one after the other. */
    record Read(RemotePlace from, List<Piece> into) implements OneSided {}

    /** The pieces, one after the other, to the peer's memory. */
    record Write(List<Piece> from, RemotePlace to) implements OneSided {}

    /**
     * Puts {@code next} into the peer's word if {@code expected} is in it.
     *
     * @param found 8 bytes, aligned, for what was in it
     */
    record CompareAndSwap(RemotePlace word, long expected, long next, Piece found) implements OneSided {}

    /**
     * Adds to the peer's word.
     *
     * @param found 8 bytes, aligned, for what was in it
     */
    record FetchAndAdd(RemotePlace word, long addend, Piece found) implements OneSided {}
}
