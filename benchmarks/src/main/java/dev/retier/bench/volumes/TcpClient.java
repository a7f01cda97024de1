package dev.retier.bench.volumes;

import dev.retier.bench.Stats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Asks {@link TcpBlocks}: by one thread, what may be asked at once by one write. Not thread-safe. */
final class TcpClient implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);

    TcpClient(int port) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** The time of each request in microseconds, one at a time. */
    Stats micros(Work work, boolean isPolling, Duration time) throws IOException {
        channel.configureBlocking(!isPolling);
        Stats micros = Stats.micros(time, () -> {
            ask(work, 1);
            receive(work.answerBytes());
        });
        channel.configureBlocking(true);
        return micros;
    }

    /** Requests per second with so many under way as the work says. */
    double perSecond(Work work, Duration time) throws IOException {
        long done = 0;
        int underWay = 0;
        long beganNanos = System.nanoTime();
        boolean isOn = true;
        while (isOn || underWay > 0) {
            if (isOn) {
                ask(work, work.depth() - underWay);
                underWay = work.depth();
            }
            int answers = receive(work.answerBytes());
            underWay -= answers;
            done += answers;
            isOn = System.nanoTime() - beganNanos < time.toNanos();
        }
        return done * Work.NANOS_PER_SECOND / (System.nanoTime() - beganNanos);
    }

    private void ask(Work work, int count) throws IOException {
        out.clear();
        for (int i = 0; i < count; i++) {
            out.put(out.position(), work.isRead() ? TcpBlocks.READ : TcpBlocks.WRITE);
            out.putInt(out.position() + TcpBlocks.LENGTH, work.bytes());
            out.position(out.position() + TcpBlocks.REQUEST_BYTES + (work.isRead() ? 0 : work.bytes()));
        }
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /** Waits for some answers; how many came. */
    private int receive(int bytes) throws IOException {
        while (in.position() < bytes) {
            if (channel.read(in) < 0) {
                throw new IOException("the other side closed");
            }
        }
        int answers = in.position() / bytes;
        in.position(in.position() - answers * bytes);
        return answers;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
