package dev.retier.iwarp.net;

import dev.retier.iwarp.memory.StagTable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A software RDMA device: its memory, its protection domains, its numbers, and the loop that moves its bytes.
 * Safe for any thread.
 */
public final class Device {
    private static final AtomicInteger NEXT_ID = new AtomicInteger(1);
    /** MTU assumed where the system does not tell. */
    private static final int DEFAULT_MTU = 1500;
    /** IP cannot carry more, however large the MTU of loopback is. */
    private static final int LONGEST_PACKET = 65_535;
    /** TCP's header with time stamps (RFC 7323). */
    private static final int TCP_BYTES = 32;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;

    private final int id = NEXT_ID.getAndIncrement();
    private final DeviceConfig config;
    private final ProgressLoop loop;
    private final StagTable regions;
    private final MemoryBudget memory;
    private final TapFactory taps;
    private final AtomicInteger nextDomain = new AtomicInteger(1);
    private final AtomicInteger nextPair = new AtomicInteger(1);
    private final AtomicInteger inbound = new AtomicInteger();
    private final AtomicInteger outbound = new AtomicInteger();
    private final AtomicBoolean hasHeld = new AtomicBoolean();
    private final ConcurrentHashMap<InetAddress, Integer> segmentSizes = new ConcurrentHashMap<>();

    /** A device that {@code loop} serves; several may share one loop. */
    public Device(DeviceConfig config, ProgressLoop loop) {
        this(config, loop, TapFactory.NONE);
    }

    /** A device whose connections {@code taps} may look at. */
    public Device(DeviceConfig config, ProgressLoop loop, TapFactory taps) {
        this.config = config;
        this.taps = taps;
        this.loop = loop;
        this.regions = new StagTable(new SecureRandom(), config.limits().maxRegions());
        this.memory = new MemoryBudget(config.limits().maxDeviceBytes());
    }

    /** A number that no other device of this process has. */
    public int id() {
        return id;
    }

    /** The limits. */
    public DeviceConfig config() {
        return config;
    }

    /** All registered memory. */
    public StagTable regions() {
        return regions;
    }

    /** The number of a new protection domain. */
    public int newDomain() {
        return nextDomain.getAndIncrement();
    }

    /** The number of a new queue pair, above 0. */
    int newPair() {
        return nextPair.getAndIncrement();
    }

    /** Whether nothing was kept back from a silent initiator before: that is said loudly once. */
    boolean isFirstHold() {
        return hasHeld.compareAndSet(false, true);
    }

    /**
     * A new completion queue.
     *
     * @param capacity completions at most, 1 to {@link #maxCompletions}
     * @param channel what to wake on request, or null
     * @throws IllegalArgumentException if the capacity is out of range, or takes more memory than the device may
     */
    public CompletionQueue newCompletionQueue(int capacity, @Nullable CompletionChannel channel) {
        return new CompletionQueue(memory, capacity, channel);
    }

    /** Completions of a completion queue at most: 4,194,304, or as many as the device may have memory for. */
    public int maxCompletions() {
        return CompletionQueue.largest(memory);
    }

    /** What its queue pairs and completion queues may hold. */
    MemoryBudget memory() {
        return memory;
    }

    /** Bytes that its queue pairs and completion queues hold: queues at their full size, buffers as they are. */
    public long memoryBytes() {
        return memory.takenBytes();
    }

    TapFactory taps() {
        return taps;
    }

    ProgressLoop loop() {
        return loop;
    }

    /** Takes one of the connections that others may make to us. Returns false if there is none left. */
    boolean takeInbound() {
        return take(inbound);
    }

    /** Takes one of the connections that we may make. Returns false if there is none left. */
    boolean takeOutbound() {
        return take(outbound);
    }

    private boolean take(AtomicInteger connections) {
        if (connections.incrementAndGet() > config.limits().maxConnections()) {
            connections.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Gives a connection back. */
    void returnConnection(boolean initiator) {
        (initiator ? outbound : inbound).decrementAndGet();
    }

    /** Connections now, both ways, those in start-up included. */
    public int connections() {
        return inbound.get() + outbound.get();
    }

    /** TCP's effective segment size out of {@code local}, from the interface's MTU (RFC 5044 section 5.1). */
    int segmentSize(SocketAddress local) {
        if (!(local instanceof java.net.InetSocketAddress inet)) {
            return DEFAULT_MTU - IPV6_BYTES - TCP_BYTES;
        }
        return segmentSizes.computeIfAbsent(inet.getAddress(), Device::lookUpSegmentSize);
    }

    private static int lookUpSegmentSize(InetAddress address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            int mtu = found == null ? DEFAULT_MTU : found.getMTU();
            return segmentSize(mtu, address);
        } catch (IOException _) {
            return segmentSize(DEFAULT_MTU, address);
        }
    }

    /** What TCP puts into a packet of at most {@code mtu} bytes: an FPDU of that length fills a segment. */
    static int segmentSize(int mtu, InetAddress address) {
        int packet = Math.clamp(mtu, DEFAULT_MTU / 2, LONGEST_PACKET);
        return packet - (address instanceof Inet6Address ? IPV6_BYTES : IPV4_BYTES) - TCP_BYTES;
    }
}
