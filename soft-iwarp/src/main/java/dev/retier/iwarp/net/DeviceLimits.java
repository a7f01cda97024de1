package dev.retier.iwarp.net;

/**
 * How much a device takes before it refuses. Reads and atomics under way are limited by the start-up policy.
 *
 * @param maxConnections connections at most, those in start-up included
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

    /** 4,096 connections, 1,048,576 regions, 32,768 of each work, 32 elements, 128 MiB and 1 GiB of memory. */
    public static DeviceLimits defaults() {
        return new DeviceLimits(4096, 1 << 20, 32768, 32768, 32, 128L << 20, 1L << 30);
    }

    /** Refuses a queue pair whose queues exceed these. */
    void check(QueuePair.Sizes sizes) {
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
