package dev.retier.agent.loop;

import dev.retier.state.RoleWord;

/**
 * What an agent can read of its own machine without waiting, as of the event that it comes with.
 *
 * @param own the role word in the own slot
 * @param installedStamp of the newest file on disk, whoever has written it; 0 for none
 * @param highestTerm of any move lock that this node has seen in this life; 0 for none
 */
public record Surroundings(RoleWord.Parsed own, long installedStamp, long highestTerm) {}
