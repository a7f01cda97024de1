package dev.retier.iwarp.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A pcap file of raw IP packets (libpcap's classic format, microseconds, link type 101). Safe for any thread.
 *
 * <pre>
 * | magic | version | zone | sigfigs | snaplen | link type |   24 bytes, once
 * | seconds | microseconds | captured length | length |      16 bytes before each packet
 * </pre>
 */
public final class PcapFile implements AutoCloseable {
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int VERSION = 0x0002_0004;
    private static final int SNAP_LENGTH = 262_144;
    private static final int LINK_TYPE_RAW_IP = 101;

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream out;

    /**
     * Creates the file, or replaces it.
     *
     * @throws UncheckedIOException if that is not possible
     */
    public PcapFile(Path file) {
        try {
            out = new BufferedOutputStream(Files.newOutputStream(file));
            ByteBuffer header = ByteBuffer.allocate(24);
            header.putInt(MAGIC).putInt(VERSION).putInt(0).putInt(0);
            header.putInt(SNAP_LENGTH).putInt(LINK_TYPE_RAW_IP);
            out.write(header.array());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + file, e);
        }
    }

    /** Adds a packet that was seen at {@code micros} microseconds since 1970. */
    public void write(long micros, ByteBuffer packet) {
        ByteBuffer record = ByteBuffer.allocate(16 + packet.remaining());
        record.putInt((int) (micros / 1_000_000)).putInt((int) (micros % 1_000_000));
        record.putInt(packet.remaining()).putInt(packet.remaining()).put(packet.duplicate());
        lock.lock();
        try {
            out.write(record.array());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot finish the trace", e);
        } finally {
            lock.unlock();
        }
    }
}
