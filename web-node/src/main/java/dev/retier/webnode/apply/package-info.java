/** Follows the role file on disk. May import config, measure and java.nio.file. */
@NullMarked
package dev.retier.webnode.apply;

import org.jspecify.annotations.NullMarked;
