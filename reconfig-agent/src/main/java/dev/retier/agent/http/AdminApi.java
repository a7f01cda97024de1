package dev.retier.agent.http;

/** What the listener serves besides targets and metrics. Called from any thread. */
public interface AdminApi extends Health {
    /** This agent's view, one JSON object. */
    String statusJson();

    /**
     * An edge says what it runs, in a request for the targets of a site.
     *
     * @param site as the request names it
     * @param word value of the header, whatever it is
     */
    void edgeTold(String site, String word);
}
