package dev.retier.agent.config;

/**
 * What is allowed in a cluster file and will hardly be meant.
 *
 * @param key that is to be changed, such as {@code move.switch-deadline}
 * @param text what is said, with the remedy
 */
public record ConfigWarning(String key, String text) {}
