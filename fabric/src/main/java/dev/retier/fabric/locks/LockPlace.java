package dev.retier.fabric.locks;

import dev.retier.link.NodeId;

/**
 * Which lock or barrier is meant; each kind has numbers of its own.
 *
 * @param home the node that keeps it; what happens to the lock when that node restarts, each kind says
 * @param number 0 to {@value #MAX_NUMBER}
 */
public record LockPlace(NodeId home, int number) {
    /** The highest number at one home. */
    public static final int MAX_NUMBER = 255;

    /** Checks the range. */
    public LockPlace {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("number " + number + ", must be 0 to " + MAX_NUMBER);
        }
    }
}
