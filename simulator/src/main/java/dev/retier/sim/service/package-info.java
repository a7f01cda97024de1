/**
 * Servers, requests and clients in virtual time: one queue per node, caches at proxies, a cost for each step. Pure. May
 * import {@code dev.retier.traces}, {@code dev.retier.state} values, {@code dev.retier.agent.render} values and {@code
 * dev.retier.sim.time} and {@code model} only.
 */
@NullMarked
package dev.retier.sim.service;

import org.jspecify.annotations.NullMarked;
