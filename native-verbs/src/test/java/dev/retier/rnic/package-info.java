/** Tests of DiSNI's verbs over rdma-core, against a library made of upcalls. */
@NullMarked
package dev.retier.rnic;

import org.jspecify.annotations.NullMarked;
