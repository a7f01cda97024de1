/** What an operator has retier write into a server's own configuration, and how that is taken out again. */
@NullMarked
package dev.retier.agent.install;

import org.jspecify.annotations.NullMarked;
