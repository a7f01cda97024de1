package dev.retier.iwarp.net;

import java.nio.ByteBuffer;

/** Sees every byte of one connection, start-up frames included. Called with the connection's lock held. */
public interface Tap {
    /** These bytes (position to limit) were handed to TCP. Must not change the buffer. */
    void sent(ByteBuffer bytes);

    /** These bytes (position to limit) came from TCP. Must not change the buffer. */
    void received(ByteBuffer bytes);

    /** The connection is closed. */
    void closed();
}
