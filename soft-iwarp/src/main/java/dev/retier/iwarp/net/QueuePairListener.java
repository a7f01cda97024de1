package dev.retier.iwarp.net;

/** What a queue pair tells its owner. Called with the pair's lock held: hand over and return. */
public interface QueuePairListener {
    /** Sends may be posted from now on. */
    void established();

    /** The stream is over, for whatever reason; everything posted is being flushed. Called once. */
    void disconnected(String why);
}
