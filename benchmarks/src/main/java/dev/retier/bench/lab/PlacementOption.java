package dev.retier.bench.lab;

import dev.retier.config.Fields;
import java.util.List;
import picocli.CommandLine.Option;

/** Where the agents of a lab run. */
final class PlacementOption {
    private enum Where {
        OUTSIDE,
        INSIDE
    }

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            description = "Of the agents: outside or inside the nodes' quotas (default: outside).")
    private Where where = Where.OUTSIDE;

    boolean isInside() {
        return where == Where.INSIDE;
    }

    /** The name of a record: that of each placement is its own. */
    String record(String name) {
        return where == Where.OUTSIDE ? name : name + "-" + word();
    }

    /** What the command of the record has for it. */
    String words() {
        return where == Where.OUTSIDE ? "" : " --placement " + word();
    }

    /** The options of {@code lab up}. */
    List<String> options() {
        return List.of("--placement", word());
    }

    /** The same for readers. */
    String sentence() {
        return "agents " + word() + " the nodes' quotas";
    }

    private String word() {
        return Fields.lowerCase(where);
    }
}
