package dev.retier.agent.config;

import java.nio.file.Path;

/** Where the process id of a server's parent is found. */
public sealed interface MainProcess {
    /** The server writes it into that file. */
    record InFile(Path file) implements MainProcess {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** systemd runs that unit, and knows. */
    record OfUnit(String unit) implements MainProcess {
        @Override
        public String toString() {
            return "unit " + unit;
        }
    }
}
