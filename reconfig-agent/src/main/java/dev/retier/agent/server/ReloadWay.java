package dev.retier.agent.server;

import dev.retier.agent.config.ServerControl;
import java.util.List;

/**
 * By which command a server is to read its file again, and why by that one.
 *
 * @param name for people
 * @param command with {@link ServerControl#PID} where the process of the server is named
 * @param why it is the fastest that is safe now
 */
record ReloadWay(String name, List<String> command, String why) {
    /** By the first one a server reads its file again at once, by the second once it has finished what it has. */
    static final List<String> SIGNALS = List.of("HUP", "USR1");

    private static final List<ReloadWay> BY_SIGNAL = List.of(
            new ReloadWay("HUP", ServerControl.Commands.signal("HUP"), "nothing is in flight that it could cut"),
            new ReloadWay("USR1", ServerControl.Commands.signal("USR1"), "what is in flight is to be finished"));

    /** Keeps its own copy of the list. */
    ReloadWay {
        command = List.copyOf(command);
    }

    /** The command that the administrator has given, or that the kind has. */
    static ReloadWay ofCommand(ServerControl control) {
        return new ReloadWay(
                "its command", control.commands().reload(), "that is how it is reloaded, whatever it does");
    }

    /** The one for a server with so many requests, or connections that may have one each, in it. */
    static ReloadWay ofSignal(long inFlight) {
        return BY_SIGNAL.get(inFlight == 0 ? 0 : 1);
    }

    @Override
    public String toString() {
        return name + ", as " + why;
    }
}
