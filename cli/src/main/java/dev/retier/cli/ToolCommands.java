package dev.retier.cli;

import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;

/**
 * Commands that no node needs, with libraries that no node should have to carry: they come in a package of their own
 * and are found where it is installed.
 */
public interface ToolCommands {
    /** The names of all of them, so that a command line can say where they are; those of {@link #commands()}. */
    List<String> NAMES = List.of("demo", "lab", "fabric", "load", "trace", "simulate");

    /** The classes of the commands, in the order of the help. */
    List<Class<?>> commands();

    /** Gives {@code retier} those that are here, and in place of the others one that says where they are. */
    static void addTo(CommandLine retier) {
        ServiceLoader.load(ToolCommands.class, ToolCommands.class.getClassLoader())
                .forEach(tools -> tools.commands().forEach(retier::addSubcommand));
        NAMES.stream()
                .filter(name -> !retier.getSubcommands().containsKey(name))
                .forEach(name -> retier.addSubcommand(name, new ElsewhereCommand()));
    }
}
