package dev.retier.sim.cluster;

/** What the agents of a cluster have sent over the fabric. Not thread-safe. */
public final class Traffic {
    private long looks;
    private long slotReads;
    private long glances;
    private long wordOperations;
    private long announcements;

    Traffic() {}

    void looked(int slots) {
        looks++;
        slotReads += slots;
    }

    void glanced(int slots) {
        glances += slots;
    }

    void worded(int operations) {
        wordOperations += operations;
    }

    void announced(int nodes) {
        announcements += nodes;
    }

    /** Looks of all agents, those under the move lock included. */
    public long looks() {
        return looks;
    }

    /** Slots that were read one by one, after announcements. */
    public long glances() {
        return glances;
    }

    /** Slots that looks have read from other nodes. */
    public long slotReads() {
        return slotReads;
    }

    /** Lock words that were read or swapped, and role words that were swapped. */
    public long wordOperations() {
        return wordOperations;
    }

    /** Announcements, one for each node that is told. */
    public long announcements() {
        return announcements;
    }
}
