package dev.retier.agent.status;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the status pages of real servers. Strict on the figures it needs, indifferent to all others. Stateless. */
public final class ServerPages {
    private static final Pattern STUB = Pattern.compile("Active connections: (\\d{1,9})\\s+"
            + "server accepts handled requests\\s+(\\d{1,18}) (\\d{1,18}) (\\d{1,18})\\s+"
            + "Reading: (\\d{1,9}) Writing: (\\d{1,9}) Waiting: (\\d{1,9})\\s*");
    /** In the table of HAProxy's {@code show stat}. */
    private static final String FRONTEND = "FRONTEND";

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int MAX_IN_FLIGHT = 1 << 24;

    private ServerPages() {}

    /** The page of httpd's mod_status with {@code ?auto}, or empty if it is none. */
    public static Optional<ServerPage> httpd(String text) {
        return page(() -> {
            int busy = count(text, "BusyWorkers");
            int idle = count(text, "IdleWorkers");
            int places = Math.max(value(text, "Scoreboard").length(), busy + idle);
            if (places == 0) {
                throw new IllegalArgumentException("no workers, so that none of them busy would mean nothing");
            }
            // The request for the page is one of the busy ones, and counted once it has ended.
            int others = Math.max(0, busy - 1);
            return new ServerPage(
                    whole(value(text, "Total Accesses")),
                    others,
                    (double) others / places,
                    whole(value(text, "ServerUptimeSeconds")),
                    value(text, "ServerMPM"),
                    value(text, "RestartTime") + "/" + value(text, "ParentServerConfigGeneration"));
        });
    }

    private static double share(long part, long whole) {
        return whole > 0 ? Math.min(1, (double) part / whole) : 0;
    }

    /**
     * The page of a server of unknown kind, or empty if it is none: a JSON object with {@code in_flight}, the requests
     * in it without the one that asks; all else in it is no matter.
     *
     * @param places for how many requests it has room, 0 where nobody knows, and then no share of them is told
     * @param uptimeSeconds since somebody began to ask
     */
    public static Optional<ServerPage> other(String text, int places, long uptimeSeconds) {
        try {
            JsonNode told = MAPPER.readTree(text).path("in_flight");
            if (!told.isIntegralNumber() || !told.canConvertToInt()) {
                return Optional.empty();
            }
            int inFlight = told.intValue();
            return inFlight < 0 || inFlight > MAX_IN_FLIGHT
                    ? Optional.empty()
                    : Optional.of(new ServerPage(
                            ServerPage.UNCOUNTED, inFlight, share(inFlight, places), uptimeSeconds, "", ""));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /**
     * The page of nginx's stub_status, or empty if it is none. It tells no uptime: the counter must do.
     *
     * @param connections how many its workers may have together; empty when that is unknown, and then no share of it
     *     is told. Idle kept connections are none: nginx closes them when it needs their places.
     */
    public static Optional<ServerPage> nginx(String text, OptionalInt connections) {
        Matcher matcher = STUB.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long requests = Long.parseLong(matcher.group(4));
        int writing = Integer.parseInt(matcher.group(6));
        int held = Math.max(0, Integer.parseInt(matcher.group(5)) + writing - 1);
        double taken = connections.isPresent() ? share(held, connections.getAsInt()) : 0;
        return page(() -> new ServerPage(requests, Math.max(0, writing - 1), taken, requests, "", ""));
    }

    /**
     * The answers of HAProxy's stats socket, or empty if they are none. Of its connections those count that have a
     * request: it closes idle ones when it needs their places.
     *
     * @param info of {@code show info}
     * @param stat of {@code show stat}
     */
    public static Optional<ServerPage> haproxy(String info, String stat) {
        return page(() -> {
            long requests = 0;
            long inFlight = 0;
            long sessions = 0;
            List<String> lines = stat.lines().toList();
            List<String> names =
                    lines.isEmpty() ? List.of() : List.of(lines.getFirst().split(",", -1));
            for (String line : lines) {
                String[] cells = line.split(",", -1);
                if (cells.length > 1 && cells[1].equals(FRONTEND)) {
                    requests += cell(cells, names.indexOf("req_tot"));
                    sessions += cell(cells, names.indexOf("slim"));
                } else if (cells.length > 1 && cells[1].equals("BACKEND")) {
                    inFlight += cell(cells, names.indexOf("scur")) + cell(cells, names.indexOf("qcur"));
                }
            }
            if (names.isEmpty() || !lines.getFirst().startsWith("#")) {
                throw new IllegalArgumentException("no table");
            }
            double idle = Math.min(100, whole(value(info, "Idle_pct"))) / 100.0;
            int held = (int) Math.min(MAX_IN_FLIGHT, inFlight);
            long places = Math.min(sessions, whole(value(info, "Maxconn")));
            if (places == 0) {
                throw new IllegalArgumentException("no limit of connections");
            }
            return new ServerPage(
                    requests,
                    held,
                    Math.max(1 - idle, share(inFlight, places)),
                    whole(value(info, "Uptime_sec")),
                    "",
                    value(info, "Pid"));
        });
    }

    private interface Reading {
        ServerPage read();
    }

    private static Optional<ServerPage> page(Reading reading) {
        try {
            return Optional.of(reading.read());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Of the first line that begins with that key; empty for none. Pages are read many times a second. */
    private static String value(String text, String key) {
        for (int at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
            int colon = at + key.length();
            if ((at == 0 || text.charAt(at - 1) == '\n') && text.startsWith(": ", colon)) {
                int end = text.indexOf('\n', colon);
                return text.substring(colon + 2, end < 0 ? text.length() : end).strip();
            }
        }
        return "";
    }

    private static int count(String text, String key) {
        long value = whole(value(text, key));
        if (value > MAX_IN_FLIGHT) {
            throw new IllegalArgumentException(key + " " + value);
        }
        return (int) value;
    }

    private static long cell(String[] cells, int column) {
        if (column < 0 || column >= cells.length) {
            throw new IllegalArgumentException("no such column");
        }
        return cells[column].isEmpty() ? 0 : whole(cells[column]);
    }

    private static long whole(String text) {
        long value = CpuText.whole(text);
        if (value < 0) {
            throw new IllegalArgumentException("not a count: " + text);
        }
        return value;
    }
}
