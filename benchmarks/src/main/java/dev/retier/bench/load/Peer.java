package dev.retier.bench.load;

import java.util.List;

/**
 * A load generator.
 *
 * @param name as the tables call it
 * @param command what starts it; it may run longer than it is measured
 */
record Peer(String name, List<String> command) {}
