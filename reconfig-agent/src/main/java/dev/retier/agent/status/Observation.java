package dev.retier.agent.status;

/** What a look at a server gave. */
public sealed interface Observation {
    /**
     * The server told its status.
     *
     * @param askedAtNanos when it was asked, monotonic: a busy server answers late, and what it says is as old as that
     * @param tookNanos how long after that it had told all
     */
    record Whole(ServerStatus status, long askedAtNanos, long tookNanos) implements Observation {}

    /**
     * The status page is late or untrue, but the processor time is known, and so are the files that were installed:
     * good enough for the load and for a switch, too old to say that nothing is in the server.
     *
     * @param status with the newest figures of the page that there were
     * @param why what is the matter with the page; empty where it was not asked for, as it was a moment ago
     */
    record Partial(ServerStatus status, String why) implements Observation {}

    /**
     * The server answers clients and tells nothing of itself: unknown, which is neither idle nor down.
     *
     * @param why what is the matter with the page
     */
    record Mute(String why) implements Observation {}

    /**
     * Neither tells nor answers.
     *
     * @param why what happened
     */
    record Silent(String why) implements Observation {}
}
