package dev.retier.volume.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client of NBD that says what a test wants. */
public final class NbdTestClient implements AutoCloseable {
    /** Asks for bytes. */
    public static final int READ = 0;

    /** With its data behind it. */
    public static final int WRITE = 1;

    static final int DISCONNECT = 2;

    /** Of no offset and no length. */
    public static final int FLUSH = 3;

    static final int TRIM = 4;
    static final int CACHE = 5;

    /** Writes zeros, without data. */
    public static final int ZEROES = 6;

    /** The flag of what is to be on the disk when it is answered. */
    public static final int FORCED = 1;

    static final int NO_HOLE = 2;

    /** The error of what cannot be read or written. */
    public static final int EIO = 5;

    static final int EINVAL = 22;

    static final int REQUEST_BYTES = 28;
    static final int ANSWER_BYTES = 16;

    private final SocketChannel socket;

    private NbdTestClient(SocketChannel socket) {
        this.socket = socket;
    }

    /** One that has opened that export, in the oldest way. */
    public static NbdTestClient open(Path socket, String name) throws IOException {
        NbdTestClient client = new NbdTestClient(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        var _ = client.read(18);
        ByteBuffer said = ByteBuffer.allocate(20 + name.length()).putInt(3).putLong(0x4948_4156_454f_5054L);
        client.send(said.putInt(1)
                .putInt(name.length())
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .flip());
        var _ = client.read(10);
        return client;
    }

    /** Without its data. */
    public static ByteBuffer request(int type, int flags, long cookie, long offset, int length) {
        return ByteBuffer.allocate(REQUEST_BYTES)
                .putInt(0x2560_9513)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(cookie)
                .putLong(offset)
                .putInt(length)
                .flip();
    }

    /** All of it. */
    public void send(ByteBuffer said) throws IOException {
        while (said.hasRemaining()) {
            socket.write(said);
        }
    }

    /** So many bytes of what comes. */
    public ByteBuffer read(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (socket.read(into) < 0) {
                throw new EOFException("after " + into.position() + " of " + bytes + " bytes");
            }
        }
        return into.flip();
    }

    /** Whether it is let go; waits until it is, or is told something. */
    boolean isLetGo() throws IOException {
        return socket.read(ByteBuffer.allocate(1)) < 0;
    }

    /** Asks, with zeros as data of a write, and takes the whole answer: its error, 0 if there is none. */
    public int ask(int type, int flags, long offset, int length) throws IOException {
        send(ByteBuffer.allocate(REQUEST_BYTES + (type == WRITE ? length : 0))
                .put(request(type, flags, 7, offset, length))
                .rewind());
        int error = read(ANSWER_BYTES).getInt(Integer.BYTES);
        if (type == READ && error == 0) {
            var _ = read(length);
        }
        return error;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
