/** What a web-node counts, and how it shows it: status values and metrics. May import config, core, Micrometer. */
@NullMarked
package dev.retier.webnode.measure;

import org.jspecify.annotations.NullMarked;
