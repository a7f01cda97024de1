/** Pure: pictures and pages as text. No files, no clocks; may import the JDK and Jackson only. */
@NullMarked
package dev.retier.report;

import org.jspecify.annotations.NullMarked;
