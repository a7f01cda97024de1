package dev.retier.iwarp.net;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * By Linux's calls: {@code recv} and {@code send}, and with several pieces {@code recvmsg} and {@code sendmsg}. A call
 * takes less than half of what Java's channel adds to it. The layouts are those of 64-bit systems.
 */
final class NativeIo implements SocketIo {
    /** Pieces of one call at most. */
    private static final int PIECES = 128;

    // struct msghdr: its third and fourth field are the pieces and their number.
    private static final long MESSAGE_BYTES = 56;
    private static final long PIECES_AT = 16;
    private static final long PIECE_COUNT_AT = 24;

    private final SocketChannel channel;
    private final int descriptor;
    private final MemorySegment memory = Arena.ofAuto().allocate(MESSAGE_BYTES + PIECES * Pieces.BYTES, Long.BYTES);
    private final MemorySegment state = Arena.ofAuto().allocate(SocketCalls.STATE);

    NativeIo(SocketChannel channel, int descriptor) {
        this.channel = channel;
        this.descriptor = descriptor;
        memory.set(ValueLayout.JAVA_LONG, PIECES_AT, memory.address() + MESSAGE_BYTES);
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public boolean endOutput() throws IOException {
        channel.shutdownOutput();
        return true;
    }

    @Override
    public int read(ByteBuffer[] spaces, int count) throws IOException {
        ensureOpen();
        if (!spaces[0].hasRemaining()) {
            return 0;
        }
        int came;
        try {
            came = count == 1
                    ? SocketCalls.receiveBytes(descriptor, MemorySegment.ofBuffer(spaces[0]), state)
                    : SocketCalls.receive(descriptor, described(spaces, 0, count), state);
        } finally {
            Reference.reachabilityFence(spaces);
        }
        if (came > 0) {
            Pieces.taken(spaces, 0, count, came);
        }
        return came;
    }

    @Override
    public void write(ByteBuffer[] pieces, int first, int count) throws IOException {
        ensureOpen();
        int end = first + count;
        for (int from = first; from < end; from += PIECES) {
            int some = Math.min(PIECES, end - from);
            if (!sendAll(pieces, from, some)) {
                return;
            }
        }
    }

    /** Whether TCP took all of it. */
    private boolean sendAll(ByteBuffer[] pieces, int first, int count) throws IOException {
        int sent;
        try {
            sent = count == 1
                    ? SocketCalls.sendBytes(descriptor, MemorySegment.ofBuffer(pieces[first]), state)
                    : SocketCalls.send(descriptor, described(pieces, first, count), state);
        } finally {
            Reference.reachabilityFence(pieces);
        }
        Pieces.taken(pieces, first, first + count, sent);
        return !pieces[first + count - 1].hasRemaining();
    }

    private MemorySegment described(ByteBuffer[] pieces, int first, int count) {
        memory.set(ValueLayout.JAVA_LONG, PIECE_COUNT_AT, count);
        for (int i = 0; i < count; i++) {
            Pieces.describe(memory, MESSAGE_BYTES + i * Pieces.BYTES, pieces[first + i]);
        }
        return memory;
    }
}
