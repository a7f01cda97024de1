package dev.retier.state.verbs;

import dev.retier.link.Connection;
import dev.retier.link.NodeId;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How a member of version 2 announces on one connection: it writes a word, which says nothing that a look does not,
 * with an immediate, and reads behind it how many of its immediates were answered; with four unanswered it sends none.
 * Lives as long as it is reachable. Called on the completion thread.
 */
final class FormerBells implements Connection {
    private static final int COUNT_OFFSET = Long.BYTES;

    private final MemorySegment words = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
    private final Announcements announcements;
    private final NodeId peer;
    private long answered;

    FormerBells(Announcements announcements, NodeId peer) {
        this.announcements = announcements;
        this.peer = peer;
    }

    /** The word that the peer writes, and the count that it reads. */
    MemorySegment words() {
        return words;
    }

    @Override
    public void immediate(int value) {
        announcements.called(peer);
        SlotLayout.WORD.setVolatile(words, COUNT_OFFSET, ++answered);
    }
}
