/** {@code retier cert}: keys and certificates of an authority of one's own (RFC 5280). Writes files at most. */
@NullMarked
package dev.retier.cli.cert;

import org.jspecify.annotations.NullMarked;
