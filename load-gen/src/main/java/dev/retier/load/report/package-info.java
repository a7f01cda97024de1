/**
 * What a run says at its end. Pure records and writers of text. May import the JDK, and the measure, target and trace
 * packages of this module, and {@code dev.retier.report}.
 */
@NullMarked
package dev.retier.load.report;

import org.jspecify.annotations.NullMarked;
