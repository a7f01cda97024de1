package dev.retier.volume.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection to a client of NBD. One thread reads, and waits for that; one at a time writes, and waits for that or
 * not. Any thread closes it, after which both fail.
 */
final class NbdSocket implements AutoCloseable {
    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;

    /** Of a channel that belongs to it from now on. */
    static NbdSocket of(SocketChannel channel) throws IOException {
        try {
            return new NbdSocket(channel);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    @SuppressWarnings("MustBeClosed")
    private NbdSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.readable = selector(SelectionKey.OP_READ);
        try {
            this.writable = selector(SelectionKey.OP_WRITE);
        } catch (IOException failed) {
            readable.close();
            throw failed;
        }
    }

    private Selector selector(int interest) throws IOException {
        Selector selector = Selector.open();
        try {
            channel.register(selector, interest);
            return selector;
        } catch (IOException failed) {
            selector.close();
            throw failed;
        }
    }

    /** Reads some bytes, at least one; waits for them. Below 0 at the end. */
    int read(ByteBuffer into) throws IOException {
        int count = channel.read(into);
        while (count == 0) {
            await(readable);
            count = channel.read(into);
        }
        return count;
    }

    /** Writes as much as it takes without waiting. */
    long write(ByteBuffer[] parts) throws IOException {
        return channel.write(parts);
    }

    /** Writes all of it; waits for that. */
    void writeAll(ByteBuffer all) throws IOException {
        while (all.hasRemaining()) {
            if (channel.write(all) == 0) {
                awaitRoom();
            }
        }
    }

    /** Waits until it takes something to write, or was closed. */
    void awaitRoom() throws IOException {
        await(writable);
    }

    private static void await(Selector selector) throws IOException {
        int ready = selector.select();
        assert ready >= 0;
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        readable.close();
        writable.close();
    }
}
