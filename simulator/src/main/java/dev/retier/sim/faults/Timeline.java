package dev.retier.sim.faults;

import dev.retier.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What happened in a world, for people; costs nothing where nobody reads it. Not thread-safe. */
final class Timeline {
    private static final double NANOS_PER_SECOND = 1e9;

    private final VirtualTime time;
    private final boolean isRead;
    private final List<String> lines = new ArrayList<>();

    Timeline(VirtualTime time, boolean isRead) {
        this.time = time;
        this.isRead = isRead;
    }

    boolean isRead() {
        return isRead;
    }

    void note(String who, Supplier<String> what) {
        if (isRead) {
            lines.add(String.format(
                    Locale.ROOT, "%9.4f s  %-8s %s", time.nowNanos() / NANOS_PER_SECOND, who, what.get()));
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
