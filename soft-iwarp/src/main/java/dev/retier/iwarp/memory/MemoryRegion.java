package dev.retier.iwarp.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A piece of native memory that the device may touch, named by its STag; tagged offsets are its addresses.
 *
 * <p>Every access is bracketed by {@link #acquire} and {@link #release}. {@link #revoke} refuses new ones and returns
 * only when none is left, so that nothing changes the memory afterwards (RFC 5042 section 6.2.3). All methods are
 * safe for any thread. The memory's arena belongs to whoever registered it; the region keeps it reachable until it is
 * deregistered.
 */
public final class MemoryRegion {
    /** Scope of a region that any stream of its protection domain may use. */
    public static final int ANY_STREAM = 0;

    private static final int REVOKED = 1 << 30;
    private static final VarHandle USERS;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(MemoryRegion.class, "users", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int stag;
    private final int domain;
    private final int stream;
    private final int rights;
    private final long address;
    private final long length;
    private final MemorySegment segment;
    private final Windows windows;
    /** The first window, at hand: with many regions each object on the way to the bytes costs a miss of the cache. */
    private final ByteBuffer first;

    @SuppressWarnings("unused") // through USERS
    private volatile int users;

    /** Who may use a region, and how. */
    public record Grant(int domain, int stream, int rights) {
        /** A grant to every stream of a protection domain. */
        public static Grant toDomain(int domain, int rights) {
            return new Grant(domain, ANY_STREAM, rights);
        }
    }

    MemoryRegion(int stag, Grant grant, MemorySegment memory, Windows windows) {
        this.stag = stag;
        this.domain = grant.domain();
        this.stream = grant.stream();
        this.rights = grant.rights();
        this.segment = memory;
        this.address = memory.address();
        this.length = memory.byteSize();
        this.windows = windows;
        this.first = windows.first();
    }

    /** The steering tag. */
    public int stag() {
        return stag;
    }

    /** The protection domain. */
    public int domain() {
        return domain;
    }

    /** The only stream that may use it, or {@link #ANY_STREAM}. */
    public int stream() {
        return stream;
    }

    /** The access rights. */
    public int rights() {
        return rights;
    }

    /** The first byte's address, which is also its tagged offset. */
    public long address() {
        return address;
    }

    /** Bytes of the region. */
    public long length() {
        return length;
    }

    /** Whether {@link #revoke} was called. */
    public boolean revoked() {
        return (users & REVOKED) != 0;
    }

    /**
     * Checks an access without starting it.
     *
     * @param wanted all of these rights must be granted
     * @param offset tagged offset, unsigned
     * @param bytes length, unsigned below 2^32
     */
    public AccessResult check(StreamIdentity who, int wanted, long offset, long bytes) {
        if (revoked()) {
            return AccessResult.INVALID_STAG;
        }
        if (domain != who.domain() || (stream != ANY_STREAM && stream != who.stream())) {
            return AccessResult.NOT_ASSOCIATED;
        }
        if ((rights & wanted) != wanted) {
            return AccessResult.RIGHTS;
        }
        if (Long.compareUnsigned(offset + bytes, offset) < 0) {
            return AccessResult.WRAP;
        }
        return covers(offset, bytes) ? AccessResult.GRANTED : AccessResult.BOUNDS;
    }

    /** Whether {@code bytes} bytes from {@code offset} are all inside; bytes must not be negative. */
    public boolean covers(long offset, long bytes) {
        long from = offset - address;
        return Long.compareUnsigned(from, length) <= 0 && bytes <= length - from;
    }

    /** Starts an access. Returns false, and starts none, if the region is revoked. */
    public boolean acquire() {
        int before = (int) USERS.getAndAdd(this, 1);
        if ((before & REVOKED) != 0) {
            release();
            return false;
        }
        return true;
    }

    /** Ends an access. */
    public void release() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Refuses all further accesses and waits for the ones under way, each of which is at most one segment long.
     * Returns false if somebody else revoked the region before.
     */
    public boolean revoke() {
        int before = (int) USERS.getAndBitwiseOr(this, REVOKED);
        while ((users & ~REVOKED) != 0) {
            Thread.onSpinWait();
        }
        return (before & REVOKED) == 0;
    }

    /** Copies {@code bytes} bytes of {@code source} from {@code at} into the region. The caller has acquired it. */
    public void put(long offset, ByteBuffer source, int at, int bytes) {
        long from = offset - address;
        if (from + bytes <= Windows.WINDOW_BYTES) {
            first.put((int) from, source, at, bytes);
        } else {
            windows.put(from, source, at, bytes);
        }
    }

    /** Appends {@code bytes} bytes of the region to {@code target}. The caller has acquired it. */
    public void get(long offset, ByteBuffer target, int bytes) {
        long from = offset - address;
        if (from + bytes <= Windows.WINDOW_BYTES) {
            int position = target.position();
            target.put(position, first, (int) from, bytes).position(position + bytes);
        } else {
            windows.get(from, target, bytes);
        }
    }

    /** Whether {@link #borrow} can show {@code bytes} bytes from {@code offset} for a socket to read or write. */
    public boolean lends(long offset, int bytes) {
        return windows.gathers() && windows.inOneView(offset - address, bytes);
    }

    /**
     * A view of bytes that are in bounds and that the region {@link #lends}. It is the caller's own until it gives it
     * back; to touch the memory through it, the caller acquires the region.
     */
    public ByteBuffer borrow(long offset, int bytes) {
        return windows.borrow(offset - address, bytes);
    }

    /** Takes a borrowed view back. */
    public void giveBack(ByteBuffer view) {
        windows.giveBack(view);
    }

    /** Reads the aligned word at {@code offset}, in the memory's own byte order. */
    public long word(long offset) {
        return (long) WORD.getVolatile(segment, offset - address);
    }

    /** Replaces the aligned word at {@code offset} if it is {@code expected}; excludes every other atomic access. */
    public boolean compareAndSet(long offset, long expected, long value) {
        return WORD.compareAndSet(segment, offset - address, expected, value);
    }
}
