/**
 * What client and server agree on while volumes are used: which requests are under way and are sent again, who may
 * write. Decisions alone, without connections, threads or clocks. Pure.
 */
@NullMarked
package dev.retier.volume.session;

import org.jspecify.annotations.NullMarked;
