package dev.retier.state;

/**
 * What a node says of its own load. All shares are in [0,1] against the node's own capacity, so unequal machines
 * compare.
 *
 * @param appliedEpoch the newest cluster configuration that the node's server has been proven to run
 * @param serverHealth whether the server beside the agent answers
 * @param utilisation the pressure of the node's present role, in [0,1]: busy share of a proxy's workers, CPU of an
 * app
 * @param cacheShare share of client requests that a proxy answered from its cache since the last record, in [0,1]
 * @param backEndShare share of the requests in service that are in service at the back end, in [0,1]
 * @param requestsPerSecond answered client requests per second
 * @param requestsInService requests that the server holds now
 * @param capacityUnitsPerSecond what the node can do per second, in the units of its configuration
 * @param operatorWord what operators have told the cluster, as this node has heard it; 0 for nothing. The shared state
 * carries it and does not look into it
 */
public record LoadRecord(
        long appliedEpoch,
        Health serverHealth,
        double utilisation,
        double cacheShare,
        double backEndShare,
        double requestsPerSecond,
        int requestsInService,
        double capacityUnitsPerSecond,
        int operatorWord) {

    /** Whether a node's server can serve. Health dominates load: a good load figure never keeps a failed node in. */
    public enum Health {
        /** The server answers its status and has the configuration that it should have. */
        UP,
        /** The server does not answer. */
        DOWN,
        /** The agent is leaving in good order; its server goes on. */
        LEAVING,
        /**
         * The server answers clients and tells nothing of itself that can be believed: the node is unknown, and its
         * agent says so, as a reader that has not looked for a while cannot see for how long a heartbeat stands still.
         */
        MUTE,
        /**
         * The server is up, and stays what it is: its agent could not keep an order over a crash, as its journal cannot
         * be written, so nobody is to give it one.
         */
        UNMOVABLE;

        /** Whether the server answers and its load can be believed. */
        public boolean isUp() {
            return this == UP || this == UNMOVABLE;
        }
    }

    /**
     * Refuses a share outside [0,1], a negative figure or one that is not a number with {@link
     * IllegalArgumentException}.
     */
    public LoadRecord {
        requireShare("utilisation", utilisation);
        requireShare("cacheShare", cacheShare);
        requireShare("backEndShare", backEndShare);
        requireNotNegative("requestsPerSecond", requestsPerSecond);
        requireNotNegative("requestsInService", requestsInService);
        requireNotNegative("capacityUnitsPerSecond", capacityUnitsPerSecond);
        requireNotNegative("appliedEpoch", (double) appliedEpoch);
    }

    /** The same of a node that can carry out no order; what is not up stays as it is. */
    public LoadRecord unmovable() {
        return serverHealth != Health.UP
                ? this
                : new LoadRecord(
                        appliedEpoch,
                        Health.UNMOVABLE,
                        utilisation,
                        cacheShare,
                        backEndShare,
                        requestsPerSecond,
                        requestsInService,
                        capacityUnitsPerSecond,
                        operatorWord);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " " + value + " is not in [0,1]");
        }
    }

    private static void requireNotNegative(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " " + value + " is not a finite number from 0 up");
        }
    }
}
