package dev.retier.agent.http;

import java.util.List;

/** What the listener serves besides targets and metrics. Called from any thread. */
public interface AdminApi {
    /** This agent's view, one JSON object. */
    String statusJson();

    /**
     * An edge says what it runs, in a request for the targets of a site.
     *
     * @param site as the request names it
     * @param word value of the header, whatever it is
     */
    void edgeTold(String site, String word);

    /** The checks of life, all of them: whether the agent's threads go round. */
    List<Check> liveness();

    /** The checks of readiness, all of them. */
    List<Check> readiness();

    /** What a move may miss: told to who asks for all, and no reason not to be ready. */
    List<Check> fitness();

    /**
     * One check.
     *
     * @param name a word
     * @param isGood whether it passes
     * @param detail what was found, for people
     */
    record Check(String name, boolean isGood, String detail) {}
}
