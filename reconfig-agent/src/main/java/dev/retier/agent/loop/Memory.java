package dev.retier.agent.loop;

import dev.retier.agent.command.PauseWord;

/**
 * What an agent knows of itself when it begins.
 *
 * @param cluster pause of the cluster that it has kept
 * @param isPausedHere whether it has kept a pause of its own
 * @param isShadow whether it orders nothing by its own decision, and compares itself with the others
 */
public record Memory(PauseWord cluster, boolean isPausedHere, boolean isShadow) {}
