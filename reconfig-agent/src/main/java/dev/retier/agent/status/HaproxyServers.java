package dev.retier.agent.status;

import java.util.HashMap;
import java.util.Map;

/** Reads HAProxy's {@code show servers state}. Stateless. */
public final class HaproxyServers {
    private static final int NAME = 3;
    private static final int ADMIN_STATE = 6;
    private static final int USER_WEIGHT = 7;
    /** Of the administrative state: maintenance and drain, forced, inherited, or by name resolution. */
    private static final int OUT = 0x01 | 0x02 | 0x08 | 0x10 | 0x20;

    private HaproxyServers() {}

    /**
     * How a server is set.
     *
     * @param isIn whether it may be given requests
     * @param weight 0 to 256
     */
    public record Setting(boolean isIn, int weight) {}

    /** By name. Empty if the text is no such table. */
    public static Map<String, Setting> parse(String text) {
        Map<String, Setting> servers = new HashMap<>();
        text.lines().map(line -> line.split(" ", -1)).forEach(cells -> {
            if (cells.length > USER_WEIGHT && isNumber(cells[ADMIN_STATE]) && isNumber(cells[USER_WEIGHT])) {
                boolean isIn = (Integer.parseInt(cells[ADMIN_STATE]) & OUT) == 0;
                servers.put(cells[NAME], new Setting(isIn, Integer.parseInt(cells[USER_WEIGHT])));
            }
        });
        return servers;
    }

    private static boolean isNumber(String cell) {
        return cell.matches("\\d{1,4}");
    }
}
