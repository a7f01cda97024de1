/** A volume server: the volumes of a pool for clients on other machines. */
@NullMarked
package dev.retier.volume.serve;

import org.jspecify.annotations.NullMarked;
