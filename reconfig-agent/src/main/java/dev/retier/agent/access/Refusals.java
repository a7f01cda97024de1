package dev.retier.agent.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How often which address was refused. An address that has shown {@value #BAD_TOKENS} bad tokens is not heard with
 * another before a twentieth of a second has passed, so at most {@value #BAD_TOKENS} a second are looked at; and of its
 * refusals one in {@value #SECONDS_PER_LINE} s is logged, with the number of those before. Of IPv6 the first 64 bits
 * count, as whoever has one address there has them all. Of the addresses the last {@value #MOST_ADDRESSES} are
 * remembered. Thread-safe.
 */
public final class Refusals {
    /** A second, and at once. */
    public static final int BAD_TOKENS = 20;

    private static final int SECONDS_PER_LINE = 10;
    private static final int MOST_ADDRESSES = 1_024;
    private static final int MOST_LINES = 20;
    private static final int MOST_KEPT = 20;
    private static final int SECONDS_PER_KEPT = 10;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ReentrantLock lock = new ReentrantLock();
    /** The one that was asked of least recently first. Guarded by the lock. */
    private final Map<String, Address> addresses = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Address> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };
    /** Of all addresses together, so that many of them cannot fill the disk. Guarded by the lock. */
    private final Bucket lines;

    /** Of commands that were refused. Guarded by the lock. */
    private final Bucket kept;

    private long untold; // guarded by the lock

    /** Nobody was refused yet. */
    public Refusals(long nowNanos) {
        this.lines = new Bucket(MOST_LINES, MOST_LINES, nowNanos);
        this.kept = new Bucket(MOST_KEPT, 1.0 / SECONDS_PER_KEPT, nowNanos);
    }

    /** Something that comes back at a rate. Owned by whoever has it. */
    private static final class Bucket {
        private final double most;
        private final double perSecond;
        private double left;
        private long atNanos;

        Bucket(double most, double perSecond, long nowNanos) {
            this.most = most;
            this.perSecond = perSecond;
            this.left = most;
            this.atNanos = nowNanos;
        }

        boolean has(long nowNanos) {
            left = Math.min(most, left + perSecond * Math.max(0, nowNanos - atNanos) / NANOS_PER_SECOND);
            atNanos = nowNanos;
            return left >= 1;
        }

        boolean take(long nowNanos) {
            boolean isThere = has(nowNanos);
            left -= isThere ? 1 : 0;
            return isThere;
        }
    }

    private record Address(Bucket tokens, Bucket line) {
        Address(long nowNanos) {
            this(new Bucket(BAD_TOKENS, BAD_TOKENS, nowNanos), new Bucket(1, 1.0 / SECONDS_PER_LINE, nowNanos));
        }
    }

    /** Whether tokens of that address are looked at now. */
    public boolean isHeard(InetAddress address, long nowNanos) {
        lock.lock();
        try {
            Address known = addresses.get(key(address));
            return known == null || known.tokens.has(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /** A token of that address was none. */
    public void badToken(InetAddress address, long nowNanos) {
        lock.lock();
        try {
            boolean _ = of(address, nowNanos).tokens.take(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /**
     * That address is refused something.
     *
     * @return how many refusals, of all addresses, are to be told by one line now; 0 for no line
     */
    public long refused(InetAddress address, long nowNanos) {
        lock.lock();
        try {
            untold++;
            Address known = of(address, nowNanos);
            if (!known.line.has(nowNanos) || !lines.has(nowNanos)) {
                return 0;
            }
            boolean _ = known.line.take(nowNanos) && lines.take(nowNanos);
            long told = untold;
            untold = 0;
            return told;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether a command that was refused is kept beside those of operators, for which there would be no room in the
     * end: of all addresses {@value #MOST_KEPT} at once, and one in {@value #SECONDS_PER_KEPT} s.
     */
    public boolean isKept(long nowNanos) {
        lock.lock();
        try {
            return kept.take(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /** What a line says of the refusals that it tells of besides its own. */
    public static String others(long told) {
        return told == 1 ? "" : "; " + (told - 1) + " refusals before it were not logged";
    }

    /** Of how many addresses anything is remembered. */
    int remembered() {
        lock.lock();
        try {
            return addresses.size();
        } finally {
            lock.unlock();
        }
    }

    private Address of(InetAddress address, long nowNanos) {
        return addresses.computeIfAbsent(key(address), _ -> new Address(nowNanos));
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        int length = address instanceof Inet6Address ? IPV6_NETWORK_BYTES : bytes.length;
        return HexFormat.of().formatHex(Arrays.copyOf(bytes, length));
    }
}
