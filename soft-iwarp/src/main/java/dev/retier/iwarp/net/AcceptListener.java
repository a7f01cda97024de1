package dev.retier.iwarp.net;

/** What a listening socket tells its owner. Called by the progress loop: hand over and return. */
@FunctionalInterface
public interface AcceptListener {
    /**
     * An initiator sent a good Request; accept or reject it, from any thread.
     *
     * @return false if nobody will: the Request is rejected
     */
    boolean requested(Responding request);
}
