/** Made while packages are built: manual, completion, licences, and which libraries go into which package. */
@NullMarked
package dev.retier.dist;

import org.jspecify.annotations.NullMarked;
