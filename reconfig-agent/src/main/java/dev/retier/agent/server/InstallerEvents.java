package dev.retier.agent.server;

import java.time.Duration;

/** Hears how files are installed; called from the installer's thread, unless it says otherwise. */
public interface InstallerEvents {
    /** Hears nothing. */
    InstallerEvents NONE = new InstallerEvents() {};

    /** A step of an installation has ended. */
    default void step(Step step, Duration took) {}

    /** An installation has ended. */
    default void ended(Result result) {}

    /** The server has read its files anew, whoever made it; called from the thread that looks at the server. */
    default void reloaded() {}

    /** Steps of an installation. */
    enum Step {
        /** The staged file was checked. */
        CHECK,
        /** Members were changed at run time, and read back. */
        RUN_TIME,
        /** From the request to reload to the last proof. */
        RELOAD
    }

    /** How an installation ended. */
    enum Result {
        /** In force without a reload. */
        CHANGED,
        /** In force after a reload. */
        RELOADED,
        /** Refused before anything was changed. */
        REFUSED,
        /** Not in force after the reload; the last good file is, again. */
        RESTORED,
        /** Neither the new nor the last good file could be brought into force. */
        LOST
    }
}
