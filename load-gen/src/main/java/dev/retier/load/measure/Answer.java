package dev.retier.load.measure;

/**
 * A good answer.
 *
 * @param target host and port that gave it
 * @param bodyBytes length of its body
 * @param serviceNanos from handing the request to the connection (opening it, where there was none) to the last byte
 */
public record Answer(String target, long bodyBytes, long serviceNanos) {}
