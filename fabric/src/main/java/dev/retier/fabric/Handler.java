package dev.retier.fabric;

/** A function that other nodes may call. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers one call. Runs on one of the node's handler threads, of which there are
     * {@link FabricLimits#handlers}: whoever waits here keeps others waiting.
     *
     * @return the answer; longer than {@link dev.retier.fabric.calls.RingLimits#bodyBytes} is refused
     * @throws RuntimeException if the call cannot be answered; the caller is told its message
     */
    byte[] answer(IncomingCall request);
}
