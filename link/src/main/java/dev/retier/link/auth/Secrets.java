package dev.retier.link.auth;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster secret, and while it is replaced a second one: either is accepted, the first is offered first.
 *
 * <p>An initiator does not know which of two the responder has. It seals its first message under its first secret and,
 * once the responder has closed the connection, another under its second: each is a handshake of its own, with a fresh
 * nonce and a transcript under that one secret, so nothing of one counts in the other, and both ends know which secret
 * was proven. The responder finds its secret by the message's key hint, two bytes of a MAC that do not depend on the
 * handshake: they tell a guesser who hears them what the MAC beside them tells him anyway, and save the responder a
 * MAC. Who makes the first try fail, by cutting the connection, brings about a proof under the second secret, which is
 * one that both still accept: he gains nothing that he would not have without the first.
 *
 * @param second null if there is none
 */
public record Secrets(ClusterSecret first, @Nullable ClusterSecret second) {
    /** No other is accepted. */
    public static Secrets only(ClusterSecret secret) {
        return new Secrets(secret, null);
    }

    /**
     * One secret in each line of {@code text}, two at most; white space around them and empty lines do not count.
     *
     * @throws IllegalArgumentException if there is none, one that {@link ClusterSecret#of} refuses, more than two, or
     *     the same twice; the message does not contain them
     */
    public static Secrets parse(String text) {
        List<ClusterSecret> all = text.lines()
                .filter(line -> !line.isBlank())
                .map(ClusterSecret::of)
                .toList();
        return switch (all.size()) {
            case 0 -> throw new IllegalArgumentException("no cluster secret is there: make one with retier secret new");
            case 1 -> only(all.getFirst());
            case 2 -> {
                if (all.getFirst().equals(all.getLast())) {
                    throw new IllegalArgumentException("the same cluster secret stands there twice: take one away");
                }
                yield new Secrets(all.getFirst(), all.getLast());
            }
            default ->
                throw new IllegalArgumentException(all.size() + " lines are there, each a cluster secret, and two are"
                        + " the most: take those away that no node offers any more");
        };
    }

    /** Both, in the order in which they are tried. */
    public List<ClusterSecret> all() {
        return second == null ? List.of(first) : List.of(first, second);
    }
}
