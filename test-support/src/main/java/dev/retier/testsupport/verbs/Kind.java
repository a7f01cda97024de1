package dev.retier.testsupport.verbs;

/** What is under way between two ends, and may be held. */
public enum Kind {
    /** A connection request with its private data. */
    CONNECT,
    /** The answer to one: accepted or rejected. */
    ANSWER,
    /** A Send. */
    SEND,
    /** A write, with or without immediate. */
    WRITE,
    /** A read: when it is delivered, the memory is read and the answer lands. */
    READ,
    /** A compare-and-swap or fetch-and-add. */
    ATOMIC
}
