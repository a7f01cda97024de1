/** Pure: what a lab consists of, as values: addresses, files, commands. May import the JDK only. */
@NullMarked
package dev.retier.cli.lab.plan;

import org.jspecify.annotations.NullMarked;
