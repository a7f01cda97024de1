package dev.retier.state.lock;

/** What one witness answered to a compare-and-swap on its replica. */
public sealed interface CasReply {
    /** The replica was as expected and now is the new word. */
    record Won() implements CasReply {}

    /** The replica held {@code actual} and is unchanged. */
    record Lost(LockWord actual) implements CasReply {}

    /** No answer: the replica may or may not have changed. */
    record Unknown() implements CasReply {}
}
