package dev.retier.iwarp.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The byte stream under a connection: TCP, or TLS over it. Never blocks. Guarded by the queue pair's lock,
 * under which the socket is closed, too.
 */
interface SocketIo {
    /**
     * Of a connected socket: by the system's own calls where the program allows these, and the socket's number is soon
     * found, else by Java's.
     */
    static SocketIo of(SocketChannel channel) throws IOException {
        int descriptor = SocketCalls.areAllowed() ? SocketDescriptors.of(channel, false) : -1;
        return descriptor < 0 ? new ChannelIo(channel) : new NativeIo(channel, descriptor);
    }

    /**
     * Reads what has come into the first {@code count} spaces, one after the other.
     *
     * @return how many bytes; 0 if there are none, or no space, and -1 at the end of the stream
     */
    int read(ByteBuffer[] spaces, int count) throws IOException;

    /** The system's number of the socket; -1 where that is not known. */
    int descriptor();

    /** Writes {@code count} pieces from {@code first} on, as far as they are taken; their positions tell how far. */
    void write(ByteBuffer[] pieces, int first, int count) throws IOException;

    /** Whether it has something to read that TCP does not have any more, so that no selector will tell. */
    default boolean holdsReceived() {
        return false;
    }

    /** Whether it has taken bytes that TCP has not; the next write, if only of nothing, goes on with them. */
    default boolean holdsUnsent() {
        return false;
    }

    /**
     * Says to the peer that no more will be written. Call it again while it {@link #holdsUnsent}.
     *
     * @return whether TCP has all of it
     */
    boolean endOutput() throws IOException;

    /** Whether what is written in one call begins a segment of TCP, as far as TCP keeps to that. */
    default boolean keepsToSegments() {
        return true;
    }

    /** Bytes of memory that it holds. */
    default long heldBytes() {
        return 0;
    }
}
