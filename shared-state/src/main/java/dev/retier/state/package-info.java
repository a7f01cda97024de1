/** The data-center's logical shared state over one-sided RDMA. */
@NullMarked
package dev.retier.state;

import org.jspecify.annotations.NullMarked;
