package dev.retier.webnode.upstream;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.ChannelListener;
import org.xnio.channels.StreamSourceChannel;

/** Reads a body to its end without blocking. Used by the channel's I/O thread alone. */
final class BodyReader implements ChannelListener<StreamSourceChannel> {
    /** Receives the end of the reading, exactly once. */
    interface Sink {
        void complete(byte[] body);

        void tooLong();

        void broken(IOException reason);
    }

    private final ByteBufferPool buffers;
    private final int maxBytes;
    private final Sink sink;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    BodyReader(ByteBufferPool buffers, int maxBytes, Sink sink) {
        this.buffers = buffers;
        this.maxBytes = maxBytes;
        this.sink = sink;
    }

    @Override
    public void handleEvent(StreamSourceChannel channel) {
        try (PooledByteBuffer pooled = buffers.allocate()) {
            ByteBuffer buffer = pooled.getBuffer();
            int count = channel.read(buffer);
            while (count > 0) {
                if (body.size() + count > maxBytes) {
                    sink.tooLong();
                    return;
                }
                append(buffer);
                count = channel.read(buffer);
            }
            if (count == 0) {
                channel.getReadSetter().set(this);
                channel.resumeReads();
            } else {
                sink.complete(body.toByteArray());
            }
        } catch (IOException e) {
            sink.broken(e);
        }
    }

    private void append(ByteBuffer buffer) {
        buffer.flip();
        byte[] chunk = new byte[buffer.remaining()];
        buffer.get(chunk);
        body.writeBytes(chunk);
        buffer.clear();
    }
}
