package dev.retier.bench.load;

import java.util.List;

/**
 * A load generator.
 *
 * @param name as the tables call it
 * @param warmUpSeconds how long it runs before it is measured
 * @param command what starts it; it may run longer than it is measured
 */
record Peer(String name, int warmUpSeconds, List<String> command) {}
