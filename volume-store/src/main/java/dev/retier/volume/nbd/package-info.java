/**
 * The network block device protocol, server side, as bytes in and bytes out: the handshake (fixed newstyle), requests
 * and answers. Source: the NBD protocol, {@code doc/proto.md} of the reference implementation. Pure.
 */
@NullMarked
package dev.retier.volume.nbd;

import org.jspecify.annotations.NullMarked;
