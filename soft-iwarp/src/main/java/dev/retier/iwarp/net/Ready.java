package dev.retier.iwarp.net;

import java.nio.channels.SelectionKey;

/**
 * Something a progress loop serves: the attachment of a selection key. Called by the loop's thread, {@link #abort} also
 * by a thread that reads a socket in its place.
 */
interface Ready {
    /** The key's channel can do some of what the key is interested in. */
    void ready(SelectionKey key);

    /** The loop ends, or serving this failed: give up the channel, do not block. */
    void abort(String why);
}
