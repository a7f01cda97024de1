/** The gateway: volumes for programs that speak NBD, on a Unix socket of the machine that they run on. */
@NullMarked
package dev.retier.volume.gateway;

import org.jspecify.annotations.NullMarked;
