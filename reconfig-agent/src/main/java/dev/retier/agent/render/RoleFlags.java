package dev.retier.agent.render;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Small files beside a generated one by which a server that reads them with each request takes another role, lets
 * connections go and proves what it answers by. As files they outlast the server, the agent and the machine. Stateless.
 *
 * @param file the generated file
 */
public record RoleFlags(Path file) {
    /** The role that forwards, as generated files name it. */
    public static final String PROXY = "proxy";

    /** The role that serves by itself. */
    public static final String APP = "app";

    private static final int PARTS = 10;
    /** Shares no divisor with {@link #PARTS}, so that rounds begin at all of them in turn. */
    private static final int STEP = 3;

    private static final int WHOLE = 100;

    /** There while the node is a proxy; what is no proxy serves by itself. */
    public Path proxy() {
        return beside(".proxy");
    }

    /** Holds the stamp of the newest file that is in force, without an end of line. */
    public Path stamp() {
        return beside(".stamp");
    }

    /** There while some connections are let go; spares the server to look for the others. */
    public Path letGo() {
        return beside(".letgo");
    }

    /** All that can be there besides. */
    public Set<Path> letGoParts() {
        return IntStream.range(0, PARTS).mapToObj(this::part).collect(Collectors.toSet());
    }

    /**
     * Those that are to be there: one for each tenth of the connections that go, told by the last digit but one of the
     * client's port, as systems prefer even ones. Each round asks others first.
     */
    public Set<Path> letGoParts(LetGo letGo) {
        Set<Path> parts = new HashSet<>();
        int tenths = Math.ceilDiv(letGo.percent() * PARTS, WHOLE);
        for (int part = 0; part < tenths; part++) {
            parts.add(part((int) ((letGo.round() * STEP + part) % PARTS)));
        }
        return parts;
    }

    private Path part(int digit) {
        return beside(".letgo." + digit);
    }

    private Path beside(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }
}
