package dev.retier.iwarp.trace;

import dev.retier.iwarp.net.Tap;
import dev.retier.iwarp.net.TapFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each connection into a pcap file of its own: {@code <directory>/<number>-<local port>-<remote port>.pcap}.
 * Both ends of a connection within one process give two files with the same bytes.
 */
public final class PcapTaps implements TapFactory {
    private static final Logger LOG = LoggerFactory.getLogger(PcapTaps.class);

    private final Path directory;
    private final PcapLimits limits;
    private final AtomicLong leftInAll;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Writes into a directory, which is made if it is missing. Files of an earlier run with the same name are replaced.
     *
     * @throws UncheckedIOException if it cannot be made
     */
    public PcapTaps(Path directory, PcapLimits limits) {
        this.directory = directory;
        this.limits = limits;
        this.leftInAll = new AtomicLong(limits.bytesInAll());
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the trace directory " + directory, e);
        }
    }

    @Override
    public @Nullable Tap open(InetSocketAddress local, InetSocketAddress remote, boolean initiator) {
        if (leftInAll.get() <= PcapFile.LEAST_BYTES) {
            LOG.warn("no trace of {} to {}: the trace has all the bytes that it may take", local, remote);
            return null;
        }
        String name = next.getAndIncrement() + "-" + local.getPort() + "-" + remote.getPort() + ".pcap";
        LOG.info("tracing {} to {} into {}", local, remote, directory.resolve(name));
        PcapFile file;
        try {
            file = new PcapFile(directory.resolve(name), limits.bytesPerConnection(), leftInAll);
        } catch (UncheckedIOException e) {
            LOG.warn("no trace of {} to {}: {}", local, remote, String.valueOf(e.getCause()));
            return null;
        }
        var conversation = new TcpConversation(
                initiator ? local : remote, initiator ? remote : local, packet -> file.write(nowMicros(), packet));
        return new PcapTap(file, conversation, initiator);
    }

    private static long nowMicros() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    private record PcapTap(PcapFile file, TcpConversation conversation, boolean initiator) implements Tap {
        @Override
        public void sent(ByteBuffer bytes) {
            conversation.data(initiator, bytes);
        }

        @Override
        public void received(ByteBuffer bytes) {
            conversation.data(!initiator, bytes);
        }

        @Override
        public void closed() {
            conversation.end();
            file.close();
        }
    }
}
