package dev.retier.system.exchange;

import java.io.IOException;

/** An exchange of two ends over a connection of their own. */
interface Part {
    /** What it needs of the connection. */
    Shape shape(Options options) throws Wrong;

    /** The end that has connected. Returns what was done, for people. */
    String ask(Session session, Options options) throws IOException, Wrong;

    /** The end that was connected to. */
    String serve(Session session, Options options) throws IOException, Wrong;
}
