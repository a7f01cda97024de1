package dev.retier.agent.status;

import java.util.HashMap;
import java.util.Map;

/** Reads HAProxy's {@code show servers state}. Stateless. */
public final class HaproxyServers {
    private static final int NAME = 3;
    private static final int ADMIN_STATE = 6;
    /** Of the administrative state: maintenance and drain, forced, inherited, or by name resolution. */
    private static final int OUT = 0x01 | 0x02 | 0x08 | 0x10 | 0x20;

    private HaproxyServers() {}

    /** By name: whether each server may be given requests. Empty if the text is no such table. */
    public static Map<String, Boolean> parse(String text) {
        Map<String, Boolean> servers = new HashMap<>();
        text.lines().map(line -> line.split(" ", -1)).forEach(cells -> {
            if (cells.length > ADMIN_STATE && cells[ADMIN_STATE].matches("\\d{1,4}")) {
                servers.put(cells[NAME], (Integer.parseInt(cells[ADMIN_STATE]) & OUT) == 0);
            }
        });
        return servers;
    }
}
