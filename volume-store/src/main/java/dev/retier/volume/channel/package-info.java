/** A volume as a file's channel, for programs that are written for {@link java.nio.channels.FileChannel} (wDSA). */
@NullMarked
package dev.retier.volume.channel;

import org.jspecify.annotations.NullMarked;
