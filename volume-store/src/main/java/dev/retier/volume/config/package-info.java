/** The file of a volume server as a value. Pure. */
@NullMarked
package dev.retier.volume.config;

import org.jspecify.annotations.NullMarked;
