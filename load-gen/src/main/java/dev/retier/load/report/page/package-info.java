/**
 * One self-contained HTML page about one or more runs: no script, no network, light and dark, readable on a phone.
 *
 * <p>Pure: results in, text out. May import the JDK and the report and measure packages of this module.
 */
@NullMarked
package dev.retier.load.report.page;

import org.jspecify.annotations.NullMarked;
