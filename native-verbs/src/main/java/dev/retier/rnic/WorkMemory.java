package dev.retier.rnic;

import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A list of work requests as the library reads it: the requests, each with the address of the next; the
 * scatter/gather elements of all; and a word for the address of the one that was refused. Owned by one thread at a
 * time.
 */
final class WorkMemory {
    private static final long ADDRESS = Layouts.at(Layouts.SGE, "addr");
    private static final long LENGTH = Layouts.at(Layouts.SGE, "length");
    private static final long KEY = Layouts.at(Layouts.SGE, "lkey");

    private final Blocks blocks;
    private final long requestBytes;
    private final int count;
    private final MemorySegment memory;
    private final Element[][] elements;
    private final AtomicBoolean isFree = new AtomicBoolean();

    /**
     * For as many requests as there are lists.
     *
     * @param request layout of one
     */
    WorkMemory(Blocks blocks, StructLayout request, List<List<IbvSge>> lists) throws IOException {
        this.blocks = blocks;
        this.requestBytes = Layouts.size(request);
        this.count = lists.size();
        if (count == 0) {
            throw new IOException("no work request to post");
        }
        long all = lists.stream().mapToLong(List::size).sum();
        long elementsAt = count * requestBytes;
        this.memory = blocks.take(elementsAt + all * Layouts.size(Layouts.SGE) + Long.BYTES);
        memory.fill((byte) 0);
        this.elements = new Element[count][];
        long at = elementsAt;
        for (int index = 0; index < count; index++) {
            List<IbvSge> list = lists.get(index);
            elements[index] = new Element[list.size()];
            long base = index * requestBytes;
            memory.set(ValueLayout.JAVA_LONG, base + Layouts.at(request, "sg_list"), memory.address() + at);
            memory.set(ValueLayout.JAVA_INT, base + Layouts.at(request, "num_sge"), list.size());
            long next = index + 1 < count ? memory.address() + base + requestBytes : 0;
            memory.set(ValueLayout.JAVA_LONG, base + Layouts.at(request, "next"), next);
            for (int element = 0; element < list.size(); element++) {
                elements[index][element] = new Element(memory, at, list.get(element));
                at += Layouts.size(Layouts.SGE);
            }
        }
    }

    /** Where request {@code index} begins. */
    long at(int index) {
        return index * requestBytes;
    }

    MemorySegment memory() {
        return memory;
    }

    Element element(int request, int index) {
        return elements[request][index];
    }

    /** Hands the list to {@code function} of a queue pair. */
    void post(RnicQp pair, MemorySegment function, String queue) throws IOException {
        if (isFree.get()) {
            throw new IOException("this call was freed");
        }
        long bad = memory.address() + memory.byteSize() - Long.BYTES;
        int errno;
        long stamp = pair.usable.enter();
        try {
            // That of siw is negative.
            errno = Math.abs(Calls.fast(function, pair.address, memory.address(), bad));
        } finally {
            pair.usable.leave(stamp);
        }
        if (errno != 0) {
            throw refused(pair, queue, errno);
        }
    }

    private IOException refused(RnicQp pair, String queue, int errno) {
        long bad = memory.get(ValueLayout.JAVA_LONG, memory.byteSize() - Long.BYTES);
        String which = count > 1 ? "request " + (bad - memory.address()) / requestBytes + " of " + count + ": " : "";
        String words = errno == Remedies.ENOMEM
                ? "the " + queue + " queue is full; poll for completions, or create the queue pair with more"
                : pair.device.library.words(errno);
        return new IOException(which + words);
    }

    /** Gives the memory back. */
    void free() {
        if (isFree.compareAndSet(false, true)) {
            blocks.give(memory);
        }
    }

    /** One scatter/gather element. */
    static final class Element implements SVCPostSend.SgeMod {
        private final MemorySegment memory;
        private final long at;

        private Element(MemorySegment memory, long at, IbvSge source) {
            this.memory = memory;
            this.at = at;
            setAddr(source.getAddr());
            setLength(source.getLength());
            setLkey(source.getLkey());
        }

        @Override
        public void setAddr(long address) {
            memory.set(ValueLayout.JAVA_LONG, at + ADDRESS, address);
        }

        @Override
        public long getAddr() {
            return memory.get(ValueLayout.JAVA_LONG, at + ADDRESS);
        }

        @Override
        public void setLength(int length) {
            memory.set(ValueLayout.JAVA_INT, at + LENGTH, length);
        }

        @Override
        public int getLength() {
            return memory.get(ValueLayout.JAVA_INT, at + LENGTH);
        }

        @Override
        public void setLkey(int key) {
            memory.set(ValueLayout.JAVA_INT, at + KEY, key);
        }

        @Override
        public int getLkey() {
            return memory.get(ValueLayout.JAVA_INT, at + KEY);
        }
    }
}
