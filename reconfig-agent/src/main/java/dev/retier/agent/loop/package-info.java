/**
 * What an agent does, as one machine: events and the time go in, effects come out. The daemon and the simulator carry
 * the same effects out, one with threads, files and RDMA, the other in virtual time. Reads no clock, touches nothing.
 */
@NullMarked
package dev.retier.agent.loop;

import org.jspecify.annotations.NullMarked;
