/** What a node counts, and its status page. May import dev.retier.config, jackson-core, Undertow. */
@NullMarked
package dev.retier.undertow.status;

import org.jspecify.annotations.NullMarked;
