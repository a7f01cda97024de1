package dev.retier.agent.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What clients of the admin listener may take of the agent.
 *
 * @param connections open at the same time, from 2; one more ends the one that has been without a request for longest
 * @param idle from the end of a request, or the connect, to the next one's first byte
 * @param parse from a request's first byte to the end of its head
 * @param answer without a byte of an answer taken by the client
 * @param headBytes of one request's head
 */
record AdminLimits(int connections, Duration idle, Duration parse, Duration answer, int headBytes) {
    private static final int MOST_CONNECTIONS = 1_024;
    private static final int LEAST_CONNECTIONS = 16;
    /** The RDMA port, the control socket, journals and commands need descriptors too. */
    private static final int SHARE_OF_DESCRIPTORS = 4;

    AdminLimits {
        if (connections < 2) {
            throw new IllegalArgumentException("connections must be 2 or more, not " + connections);
        }
    }

    /** For an agent: a quarter of the file descriptors that the process may have, 16 to 1,024 connections. */
    static AdminLimits usual() {
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
        return new AdminLimits(
                connections(descriptors),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                16 << 10);
    }

    /** How many connections suit a process that may have so many descriptors. */
    static int connections(long descriptors) {
        return Math.clamp(descriptors / SHARE_OF_DESCRIPTORS, LEAST_CONNECTIONS, MOST_CONNECTIONS);
    }

    /** Requests that may wait for a change at the same time: half of the connections, so that others find a place. */
    int waiting() {
        return connections / 2;
    }
}
