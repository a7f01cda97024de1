/** The sub-commands of the launcher, and the demo. */
@NullMarked
package dev.retier.cli;

import org.jspecify.annotations.NullMarked;
