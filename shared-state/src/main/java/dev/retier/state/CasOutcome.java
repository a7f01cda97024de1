package dev.retier.state;

/** How a remote compare-and-swap on a role word ended. */
public sealed interface CasOutcome {
    /** The word was as expected and now is the new one. */
    record Won() implements CasOutcome {}

    /** The word was not as expected and is unchanged; the caller's view was wrong. */
    record Lost(RoleWord actual) implements CasOutcome {}

    /** The word was not as expected and is unchanged, and is no role word: {@code bits} is what was found. */
    record Malformed(long bits) implements CasOutcome {}

    /** The request did not go out: the word is unchanged by this call. */
    record Unreachable(String reason) implements CasOutcome {}

    /** The request went out and no answer came: read the word to learn what it is; never repeat blindly. */
    record Unresolved(String reason) implements CasOutcome {}
}
