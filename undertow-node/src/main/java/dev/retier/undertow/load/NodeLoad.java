package dev.retier.undertow.load;

/** How much a node can do, and how busy it is: what agents decide by. Thread-safe. */
public interface NodeLoad {
    /** What it can do, in units of the whole cluster, above 0; agents count 1000 per processor of other servers. */
    double capacityUnitsPerSecond();

    /** Time it has worked since some moment, never less than before; growth over elapsed time is the utilisation. */
    double busySeconds();

    /** Time that the work it has accepted will still take; 0 where nobody can tell. */
    default double backlogSeconds() {
        return 0;
    }
}
