/** What a web-node counts besides what each node does, and its metrics. May import core, Micrometer. */
@NullMarked
package dev.retier.webnode.measure;

import org.jspecify.annotations.NullMarked;
