package dev.retier.fabric.directory;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known of regions that are over, so that what comes late does not bring them back; forgets the oldest. */
final class Remembered<V> extends LinkedHashMap<Long, V> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 4096;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
        return size() > MOST;
    }
}
