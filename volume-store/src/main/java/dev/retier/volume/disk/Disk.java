package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The folder of a pool. What is written is seen by every read after it, and on the disk after the file's {@link
 * DiskFile#force}; whether a file that was made is there after a power cut is known after {@link #forceNames}.
 * Thread-safe.
 */
public interface Disk extends AutoCloseable {
    /** The file of that name, which may have one {@code /} in it; made if it is not there. */
    DiskFile open(String name) throws IOException;

    /** Names of files in {@code folder}, or at the top for an empty one; sorted. */
    List<String> list(String folder) throws IOException;

    /** Takes a file away that nobody has open. */
    void delete(String name) throws IOException;

    /** What was made and taken away is on the disk. */
    void forceNames() throws IOException;

    /** How many bytes more there is room for, as far as it can tell. */
    default long freeBytes() throws IOException {
        return Long.MAX_VALUE;
    }

    @Override
    void close() throws IOException;

    /** One file. Thread-safe. */
    interface DiskFile extends AutoCloseable {
        /** Fills {@code into} from {@code offset} on; what lies behind the end of the file reads as zeros. */
        void read(ByteBuffer into, long offset) throws IOException;

        /** All of it will be read soon; it may be brought to memory beside whoever reads something else now. */
        default void willBeRead() {}

        /** What is read next is to come from the disk, also if the system has it in memory; where it can do that. */
        default void forget() {}

        /**
         * From where on it may have something but zeros that were never written: {@code offset}, or what lies behind
         * it; behind the end of the file if there is nothing.
         */
        default long nextData(long offset) throws IOException {
            return offset;
        }

        /** Writes all of {@code from}. */
        void write(ByteBuffer from, long offset) throws IOException;

        /** What was written before is on the disk. */
        void force() throws IOException;

        /** Its length. */
        long size() throws IOException;

        /** Cuts it to that length. */
        void truncate(long size) throws IOException;

        /**
         * What lies there is not needed any more: it may be as it was, or zeros, and need not take room. The length
         * stays.
         *
         * @throws UnsupportedOperationException if the system or the file system never can, with what to do
         * @throws IOException if it could not be done this time; then it is all as it was, or in part
         */
        void punch(long offset, long length) throws IOException;

        @Override
        void close() throws IOException;
    }
}
