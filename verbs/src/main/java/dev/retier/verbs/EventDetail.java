package dev.retier.verbs;

/**
 * What a provider's {@code RdmaCmEvent} may implement: why, in words. soft-iwarp's do; a program that is handed others
 * has to make do with their kind:
 *
 * <pre>{@code
 * String why = event instanceof EventDetail told ? told.detail() : "";
 * }</pre>
 */
public interface EventDetail {
    /** What happened, for people; empty if it went well. */
    String detail();
}
