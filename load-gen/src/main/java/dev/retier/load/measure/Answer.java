package dev.retier.load.measure;

/**
 * A good answer.
 *
 * @param target host and port that gave it
 * @param bodyBytes length of its body
 * @param serviceNanos from handing the request to the connection (opening it, where there was none) to the last byte
 * @param responseNanos from the time the request was due to the last byte; in a closed loop the same
 */
public record Answer(String target, long bodyBytes, long serviceNanos, long responseNanos) {}
