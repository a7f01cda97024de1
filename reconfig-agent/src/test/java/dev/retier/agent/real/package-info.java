/** Real servers as private instances on loopback, from the example configurations of conf/. */
@NullMarked
package dev.retier.agent.real;

import org.jspecify.annotations.NullMarked;
