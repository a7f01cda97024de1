package dev.retier.sim.faults;

/** What goes wrong in a storm. Clocks drift in addition. */
public enum Fault {
    /** An agent ends without a word, its server goes on. */
    AGENT_ENDS,
    /** A server ends, its agent goes on. */
    SERVER_ENDS,
    /** A machine ends. */
    MACHINE_ENDS,
    /** A link between two agents is cut, one way. */
    LINK_CUT,
    /** A node hears nobody, or is heard by nobody, or both. */
    NODE_CUT_OFF,
    /** Two halves of the cluster hear nothing of each other. */
    CLUSTER_SPLIT,
    /** What one agent sends to another comes seconds late. */
    LINK_STALLED,
    /** An agent stands still; its memory can be read. */
    AGENT_PAUSED,
    /** A server works at a fraction of its speed. */
    SERVER_SLOW,
    /** A status page repeats what it said. */
    PAGE_FROZEN,
    /** A status page says anything. */
    PAGE_LYING,
    /** A server refuses new files. */
    FILES_REFUSED,
    /** A server takes no notice of new files. */
    FILES_IGNORED,
    /** An agent is asked to end, and does when it has finished or undone its own move. */
    AGENT_LEAVES,
    /** A status page tells nothing in time. */
    PAGE_HANGING,
    /** A status page is too long or no status. */
    PAGE_MALFORMED,
    /** Of a status page only processor time and files are of now. */
    PAGE_PARTIAL,
    /** What is appended to a journal waits. */
    DISK_STILL,
    /** Nothing gets into the folder of a journal. */
    JOURNAL_FAILS,
    /** No file for a server can be written. */
    FILES_NOT_WRITTEN,
    /** An agent ends, and finds a wall clock that is behind when it starts again. */
    CLOCK_SET_BACK,
    /** Operators command what comes to their minds, wherever they are. */
    OPERATORS,
    /** The cluster is being upgraded: some agents are of the version before, until they are started again. */
    FORMER_AGENTS,
    /** What stands before the proxies of a site takes and tells nothing, and goes on sending where it sends. */
    EDGE_STANDS_STILL
}
