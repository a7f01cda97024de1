package dev.retier.iwarp.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** By Java's channel. */
final class ChannelIo implements SocketIo {
    private final SocketChannel channel;

    ChannelIo(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public boolean endOutput() throws IOException {
        channel.shutdownOutput();
        return true;
    }

    @Override
    public int read(ByteBuffer[] spaces, int count) throws IOException {
        return count == 1 ? channel.read(spaces[0]) : (int) channel.read(spaces, 0, count);
    }

    @Override
    public void write(ByteBuffer[] pieces, int first, int count) throws IOException {
        if (count == 1) {
            channel.write(pieces[first]);
        } else {
            channel.write(pieces, first, count);
        }
    }
}
