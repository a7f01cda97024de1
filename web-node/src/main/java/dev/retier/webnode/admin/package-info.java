/** The admin listener: status, metrics, health. May import config, core, measure, Undertow, Micrometer, Jackson. */
@NullMarked
package dev.retier.webnode.admin;

import org.jspecify.annotations.NullMarked;
