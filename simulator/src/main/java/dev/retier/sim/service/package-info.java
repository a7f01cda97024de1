/**
 * Servers, requests and clients in virtual time: one queue per node, caches at proxies, a cost for each step. Pure. May
 * import {@code dev.retier.load} traces, {@code dev.retier.state} values and {@code dev.retier.sim.time} and {@code
 * model} only.
 */
@NullMarked
package dev.retier.sim.service;

import org.jspecify.annotations.NullMarked;
