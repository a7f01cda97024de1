package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What an open device says of itself, as it was when asked. Apart from DiSNI, whose contexts need a provider. */
final class RnicAttributes {
    private static final int ATOMIC_NONE = 0;
    /** {@code IBV_ATOMIC_GLOB}; {@code IBV_ATOMIC_HCA} excludes other work of the same device alone. */
    private static final int ATOMIC_GLOBAL = 2;

    private final MemorySegment memory;

    private RnicAttributes(MemorySegment memory) {
        this.memory = memory;
    }

    /** Those of the device {@code name} whose context is at {@code context}. */
    static RnicAttributes of(Library library, long context, String name) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(Layouts.DEVICE_ATTR);
        int errno = (int) Calls.call(library.queryDevice, context, memory.address());
        if (errno != 0) {
            throw library.failed("ibv_query_device " + name, errno);
        }
        return new RnicAttributes(memory);
    }

    private int attribute(String field) {
        return memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.DEVICE_ATTR, field));
    }

    int maxCompletions() {
        return attribute("max_cqe");
    }

    int maxWork() {
        return attribute("max_qp_wr");
    }

    int maxElements() {
        return attribute("max_sge");
    }

    /** As many as of any other request where the driver leaves it 0. */
    int maxReadElements() {
        int told = attribute("max_sge_rd");
        return told == 0 ? maxElements() : told;
    }

    boolean hasAtomics() {
        return attribute("atomic_cap") != ATOMIC_NONE;
    }

    boolean excludesProcessors() {
        return attribute("atomic_cap") == ATOMIC_GLOBAL;
    }

    /** Ports, numbered from 1. */
    int ports() {
        return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.DEVICE_ATTR, "phys_port_cnt")));
    }
}
