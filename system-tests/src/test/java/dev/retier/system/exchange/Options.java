package dev.retier.system.exchange;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The options of the command line: pairs of {@code --name value}. */
record Options(Map<String, String> values) {
    private static final List<String> NAMES = List.of(
            "address",
            "changes",
            "client",
            "clients",
            "count",
            "log",
            "most",
            "patience",
            "port",
            "seed",
            "times",
            "under-way",
            "what");

    /** Of all arguments from the second on. */
    static Options parse(String... arguments) throws Wrong {
        Map<String, String> found = new TreeMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (!NAMES.contains(name)) {
                throw new Wrong("unknown option " + arguments[i] + "; there are " + NAMES);
            }
            if (i + 1 == arguments.length) {
                throw new Wrong("option --" + name + " has no value");
            }
            found.put(name, arguments[i + 1]);
        }
        return new Options(found);
    }

    String text(String name) throws Wrong {
        String given = values.get(name);
        if (given == null) {
            throw new Wrong("option --" + name + " is missing");
        }
        return given;
    }

    /** The names of the exchanges, in the order in which they run. */
    List<String> what() throws Wrong {
        return List.of(text("what").split(",", -1));
    }

    int number(String name, int otherwise, int least) throws Wrong {
        String given = values.get(name);
        int number;
        try {
            number = given == null ? otherwise : Integer.parseInt(given);
        } catch (NumberFormatException _) {
            throw new Wrong("option --" + name + " is no number: " + given);
        }
        if (number < least) {
            throw new Wrong("option --" + name + " is at least " + least + ", not " + number);
        }
        return number;
    }

    InetSocketAddress address() throws Wrong {
        return new InetSocketAddress(text("address"), number("port", 0, 0));
    }

    /** How long to wait for one thing. */
    Duration patience() throws Wrong {
        return Duration.ofSeconds(number("patience", 60, 1));
    }
}
