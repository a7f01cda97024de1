/**
 * One self-contained HTML page about one or more runs: no script, no network, light and dark, readable on a phone.
 *
 * <p>Pure: results in, text out. May import the JDK, the report, measure and target
 * packages of this module, and {@code dev.retier.report}.
 */
@NullMarked
package dev.retier.load.report.page;

import org.jspecify.annotations.NullMarked;
