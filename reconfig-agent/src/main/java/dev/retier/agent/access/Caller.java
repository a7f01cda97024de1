package dev.retier.agent.access;

/**
 * Who has sent a request.
 *
 * @param name as the tokens file or the certificate calls it, for people and logs; {@link #ANYBODY} of one who has
 *     proven nothing
 * @param role what it may do
 * @param address from where, without the port
 */
public record Caller(String name, CallerRole role, String address) {
    /** The name of those who have proven nothing. */
    public static final String ANYBODY = "anybody";

    /** One who has proven nothing, and may do that all the same. */
    public static Caller anybody(CallerRole role, String address) {
        return new Caller(ANYBODY, role, address);
    }

    /** Whether it has proven who it is. */
    public boolean isKnown() {
        return !name.equals(ANYBODY);
    }
}
