/** The table by which a server tells of its volumes: as values and bytes. Pure. */
@NullMarked
package dev.retier.volume.table;

import org.jspecify.annotations.NullMarked;
