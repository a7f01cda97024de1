package dev.retier.rnic;

import java.lang.foreign.Linker;

/**
 * The library made of upcalls, with a device that does nothing: posting and polling are functions of the C library that
 * come back at once. What is measured over it is the binding.
 */
public final class IdleLibrary extends FakeLibrary {
    /** Of two different numbers it says 0: posted. */
    static final String POST = "pthread_equal";
    /** Of a completion queue whose first byte is not 0, and of room for one, it says 1: found. */
    static final String POLL = "strnlen";

    private static final int POLL_OFFSET = 96;
    private static final int POST_SEND_OFFSET = 208;
    private static final int POST_RECV_OFFSET = 216;

    IdleLibrary() {
        set(context, POLL_OFFSET, libc(POLL));
        set(context, POST_SEND_OFFSET, libc(POST));
        set(context, POST_RECV_OFFSET, libc(POST));
    }

    private static long libc(String name) {
        return Linker.nativeLinker().defaultLookup().find(name).orElseThrow().address();
    }

    @Override
    public long ibv_create_cq(long of, int entries, long own, long channel, int vector) {
        long queue = super.ibv_create_cq(of, entries, own, channel, vector);
        set(queue, 0, 1);
        return queue;
    }
}
