/** A client of a volume server: volumes of another machine, over lost connections and restarts of the server. */
@NullMarked
package dev.retier.volume.connect;

import org.jspecify.annotations.NullMarked;
