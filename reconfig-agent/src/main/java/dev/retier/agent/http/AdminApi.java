package dev.retier.agent.http;

import dev.retier.agent.access.Caller;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;

/** What the listener serves besides targets and metrics. Called from any thread. */
public interface AdminApi extends Health {
    /** This agent's view, one JSON object. */
    String statusJson();

    /** Why nodes move or stay, one JSON object. */
    String explainJson();

    /** The configuration that runs, one JSON object without a secret in it. */
    String configJson();

    /** The highest epoch of all role words in the newest view. */
    long epoch();

    /** Carries out a command and says what became of it, however long that takes. */
    Answer command(Command command, Caller caller) throws InterruptedException;

    /** Keeps that a command was refused before it was begun, with why. */
    void refused(Command command, Caller caller, String why);

    /** The newest commands that have ended, the newest first, one JSON object. */
    String commandsJson();

    /** The newest moves of the cell that this agent has seen, of later epochs than that, one JSON object. */
    String movesJson(long since, int most);

    /** What happens, for those who watch. */
    EventRing events();

    /**
     * An edge says what it runs, in a request for the targets of a site.
     *
     * @param site as the request names it
     * @param word value of the header, whatever it is
     */
    void edgeTold(String site, String word);
}
