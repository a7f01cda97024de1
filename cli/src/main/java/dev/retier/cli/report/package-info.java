/** Pure: pictures and pages as text. No files, no clocks; may import the JDK only. */
@NullMarked
package dev.retier.cli.report;

import org.jspecify.annotations.NullMarked;
