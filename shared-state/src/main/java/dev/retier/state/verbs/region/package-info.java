/**
 * The driver of named regions: memory, registrations, messages, threads and clocks over a {@link
 * dev.retier.state.verbs.rpc.Fabric}. Decides nothing that {@code region.directory} can decide.
 */
@NullMarked
package dev.retier.state.verbs.region;

import org.jspecify.annotations.NullMarked;
