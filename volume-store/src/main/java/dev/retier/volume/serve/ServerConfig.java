package dev.retier.volume.serve;

import dev.retier.link.Transport;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.VolumeName;
import dev.retier.volume.slots.SlotLink;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/**
 * How a volume server serves.
 *
 * @param listen where it takes connections
 * @param secrets what its clients prove
 * @param transport which provider of the verbs API to use
 * @param limits of its memory and threads
 * @param times how long it waits for whom
 * @param care of what it has
 */
public record ServerConfig(
        InetSocketAddress listen, Secrets secrets, Transport transport, Limits limits, Times times, Care care) {
    /** With the least care. */
    public ServerConfig(InetSocketAddress listen, Secrets secrets, Transport transport, Limits limits, Times times) {
        this(listen, secrets, transport, limits, times, Care.LEAST);
    }

    /**
     * How it cares for what it has.
     *
     * @param forcesAll whether each change is on the disk before it is answered, as if its client had asked for that
     * @param scrubRate with how many bytes per second it reads all it has, to prove it; 0 for never
     * @param scrubEvery from one beginning of that to the next, at least
     * @param priorities of volumes, from 1, the highest, which others have: while requests of several wait for a disk
     *     thread, one of priority 2 gets half of the bytes that one of priority 1 gets
     */
    public record Care(boolean forcesAll, long scrubRate, Duration scrubEvery, Map<VolumeName, Integer> priorities) {
        /** What clients ask for, and no more. */
        public static final Care LEAST = new Care(false, 0, Duration.ofDays(1));

        /** Keeps its own copy. */
        public Care {
            priorities = Map.copyOf(priorities);
        }

        /** Of volumes that are all the same to it. */
        public Care(boolean forcesAll, long scrubRate, Duration scrubEvery) {
            this(forcesAll, scrubRate, scrubEvery, Map.of());
        }

        int priority(VolumeName volume) {
            return priorities.getOrDefault(volume, DiskThreads.HIGHEST);
        }
    }

    /**
     * How much of everything.
     *
     * @param slots requests of one client that may be under way
     * @param slotBytes of each, head and data
     * @param clients that may be connected; each has {@code slots} times {@code slotBytes} twice
     * @param diskThreads that read and write for them
     */
    public record Limits(int slots, int slotBytes, int clients, int diskThreads) {
        /** 64 requests of up to 64 KiB for each of 64 clients, 512 MiB in all, and four threads. */
        public static final Limits DEFAULT = new Limits(64, (64 << 10) + 64, 64, 4);

        private static final int MOST = 1024;

        /** Refuses what cannot be with {@link IllegalArgumentException}. */
        public Limits {
            within("credits", slots, 1, MOST);
            within("bytes of a slot", slotBytes, 4096 + 64, 1 << 20);
            within("clients", clients, 1, MOST);
            within("disk-threads", diskThreads, 1, MOST);
        }

        private static void within(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(what + ": " + value + ", must be " + least + " to " + most);
            }
        }

        SlotLink.Shape shape() {
            return new SlotLink.Shape(slots, slotBytes);
        }
    }

    /**
     * How long.
     *
     * @param lease after which a client that says nothing may be replaced
     * @param quiesce for which a client waits at most until nothing of what a volume was used for before runs any more
     * @param stall after which a connection whose provider does not answer ends
     */
    public record Times(Duration lease, Duration quiesce, Duration stall) {
        /** 3 s, 5 s, 2 s. */
        public static final Times DEFAULT =
                new Times(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(2));
    }
}
