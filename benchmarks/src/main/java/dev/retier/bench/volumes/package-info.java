/** {@code bench volumes}: volumes over RDMA beside plain TCP, other NBD servers and the local disk. */
@NullMarked
package dev.retier.bench.volumes;

import org.jspecify.annotations.NullMarked;
