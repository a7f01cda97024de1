package dev.retier.iwarp.net;

/**
 * How much a device takes before it refuses. Reads and atomics under way are limited by the start-up policy.
 *
 * @param maxConnections connections at most that others made to us, those in start-up included, and as many that we
 *     made to others: so that nobody outside can take our own
 * @param maxRegions registered regions at most
 * @param maxReceiveWork receives per queue pair at most
 * @param maxSendWork sends per queue pair at most
 * @param maxElements scatter/gather elements per work request at most
 * @param maxConnectionBytes memory of one queue pair at most: its queues at their full size, its buffers as they are
 * @param maxDeviceBytes memory of all queue pairs and completion queues together at most
 */
public record DeviceLimits(
        int maxConnections,
        int maxRegions,
        int maxReceiveWork,
        int maxSendWork,
        int maxElements,
        long maxConnectionBytes,
        long maxDeviceBytes) {
    private static final long MOST_DEVICE_BYTES = 1L << 30;
    private static final long MOST_CONNECTION_BYTES = 128L << 20;

    /** Checks the ranges. */
    public DeviceLimits {
        if (maxConnections < 1 || maxRegions < 1 || maxReceiveWork < 1 || maxSendWork < 1 || maxElements < 1) {
            throw new IllegalArgumentException("every limit of number must be at least 1");
        }
        if (maxConnectionBytes < 1 || maxDeviceBytes < maxConnectionBytes) {
            throw new IllegalArgumentException("memory of " + maxConnectionBytes + " bytes per connection and "
                    + maxDeviceBytes + " per device: use at least 1, and no less per device than per connection");
        }
    }

    /**
     * 4,096 connections each way, 1,048,576 regions, 32,768 of each work, 32 elements; memory: half of the direct
     * memory that the JVM gives, but 1 GiB at most, and of that 128 MiB at most for one connection.
     */
    public static DeviceLimits defaults() {
        return defaults(DirectMemory.limitBytes());
    }

    /** The defaults of a JVM that gives so much direct memory. */
    static DeviceLimits defaults(long directBytes) {
        long device = Math.clamp(directBytes / 2, 1, MOST_DEVICE_BYTES);
        return new DeviceLimits(4096, 1 << 20, 32768, 32768, 32, Math.min(device, MOST_CONNECTION_BYTES), device);
    }

    /** Refuses a queue pair whose queues exceed these. */
    void check(SocketQueuePair.Sizes sizes) {
        check("send work requests", sizes.maxSendWork(), maxSendWork);
        check("receives", sizes.maxReceiveWork(), maxReceiveWork);
        check("scatter/gather elements", sizes.maxElements(), maxElements);
    }

    private static void check(String what, int wanted, int limit) {
        if (wanted < 1 || wanted > limit) {
            throw new IllegalArgumentException(wanted + " " + what + "; the device allows 1 to " + limit);
        }
    }

    /** These with other limits of connections and regions. */
    public DeviceLimits withNumbers(int connections, int regions) {
        return new DeviceLimits(
                connections, regions, maxReceiveWork, maxSendWork, maxElements, maxConnectionBytes, maxDeviceBytes);
    }

    /** These with other limits of a queue pair's queues. */
    public DeviceLimits withQueues(int receiveWork, int sendWork, int elements) {
        return new DeviceLimits(
                maxConnections, maxRegions, receiveWork, sendWork, elements, maxConnectionBytes, maxDeviceBytes);
    }

    /** These with other limits of memory. */
    public DeviceLimits withMemory(long connectionBytes, long deviceBytes) {
        return new DeviceLimits(
                maxConnections, maxRegions, maxReceiveWork, maxSendWork, maxElements, connectionBytes, deviceBytes);
    }
}
