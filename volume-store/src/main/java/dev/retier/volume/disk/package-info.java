/**
 * A pool on its disk: files, what is forced when, checkpoints, recovery.
 */
@NullMarked
package dev.retier.volume.disk;

import org.jspecify.annotations.NullMarked;
