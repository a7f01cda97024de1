/**
 * Block storage over RDMA: volumes, which servers keep in pools, and what they are called.
 */
@NullMarked
package dev.retier.volume;

import org.jspecify.annotations.NullMarked;
