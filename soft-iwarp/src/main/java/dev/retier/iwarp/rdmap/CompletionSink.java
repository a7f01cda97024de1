package dev.retier.iwarp.rdmap;

/** Where completions go. */
@FunctionalInterface
public interface CompletionSink {
    /** Takes a copy of the completion. Returns false if there was no room: then the stream must end. */
    boolean complete(Completion completion);
}
