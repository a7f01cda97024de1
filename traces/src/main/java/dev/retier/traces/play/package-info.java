/**
 * What all who play a trace do alike, on real servers and in virtual time: which client asks which server, and when a
 * promise to a site counts as kept. Pure.
 */
@NullMarked
package dev.retier.traces.play;

import org.jspecify.annotations.NullMarked;
