/** Writes the generated file of the own server, and watches whether the server took it. Does file I/O. */
@NullMarked
package dev.retier.agent.apply;

import org.jspecify.annotations.NullMarked;
