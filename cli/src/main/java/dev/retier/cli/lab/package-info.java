/**
 * {@code retier lab}: a data-center of real servers on this machine, of network namespaces, control groups and
 * processes. Linux, as root.
 */
@NullMarked
package dev.retier.cli.lab;

import org.jspecify.annotations.NullMarked;
