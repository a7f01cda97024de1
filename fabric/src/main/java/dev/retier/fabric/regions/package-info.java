/**
 * Named regions of memory that any node of a cell can map and use by one-sided operations: {@link
 * dev.retier.fabric.regions.Regions}. Memory, registrations, messages, threads and clocks over a {@link
 * dev.retier.fabric.Fabric}; decides nothing that {@code dev.retier.fabric.directory} can decide.
 */
@NullMarked
package dev.retier.fabric.regions;

import org.jspecify.annotations.NullMarked;
