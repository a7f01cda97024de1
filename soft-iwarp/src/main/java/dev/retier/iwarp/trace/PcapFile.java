package dev.retier.iwarp.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pcap file of raw IP packets (libpcap's classic format, microseconds, link type 101). Safe for any thread.
 *
 * <p>Each packet is handed to the system at once, so that the file can be opened while it grows, and after a crash.
 * Nothing that goes wrong with the file reaches the connection: the file ends there, with a line in the log.
 *
 * <pre>
 * | magic | version | zone | sigfigs | snaplen | link type |   24 bytes, once
 * | seconds | microseconds | captured length | length |      16 bytes before each packet
 * </pre>
 */
final class PcapFile implements AutoCloseable {
    /** The file's header and some packets of a handshake. */
    static final int LEAST_BYTES = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(PcapFile.class);
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int VERSION = 0x0002_0004;
    private static final int SNAP_LENGTH = 262_144;
    private static final int LINK_TYPE_RAW_IP = 101;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    private final Path file;
    private final FileChannel out;
    private final AtomicLong leftInAll;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private long left;
    private boolean full;

    /**
     * Creates the file, or replaces it.
     *
     * @param bytes what this file may take at most
     * @param leftInAll what all files together may still take; this one takes its part
     * @throws UncheckedIOException if that is not possible
     */
    PcapFile(Path file, long bytes, AtomicLong leftInAll) {
        this.file = file;
        this.left = bytes;
        this.leftInAll = leftInAll;
        try {
            out = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + file, e);
        }
        ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES);
        header.putInt(MAGIC).putInt(VERSION).putInt(0).putInt(0);
        append(header.putInt(SNAP_LENGTH).putInt(LINK_TYPE_RAW_IP).flip());
    }

    /** Adds a packet that was seen at {@code micros} microseconds since 1970. */
    void write(long micros, ByteBuffer packet) {
        ByteBuffer bytes = ByteBuffer.allocate(RECORD_HEADER_BYTES + packet.remaining());
        bytes.putInt((int) (micros / 1_000_000)).putInt((int) (micros % 1_000_000));
        bytes.putInt(packet.remaining()).putInt(packet.remaining()).put(packet.duplicate());
        append(bytes.flip());
    }

    private void append(ByteBuffer bytes) {
        lock.lock();
        try {
            if (full) {
                return;
            }
            int count = bytes.remaining();
            if (count > left || leftInAll.addAndGet(-count) < 0) {
                full = true;
                LOG.warn("{} ends here: the trace has all the bytes that it may take", file);
                return;
            }
            left -= count;
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            full = true;
            LOG.warn("{} ends here: {}", file, e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            full = true;
            out.close();
        } catch (IOException e) {
            LOG.warn("cannot finish the trace {}: {}", file, e.getMessage());
        } finally {
            lock.unlock();
        }
    }
}
