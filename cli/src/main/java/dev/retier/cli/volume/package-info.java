/** {@code retier volume}: volume servers, their volumes, and volumes as NBD. */
@NullMarked
package dev.retier.cli.volume;

import org.jspecify.annotations.NullMarked;
