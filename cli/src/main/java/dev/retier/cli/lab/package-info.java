/** A data-center of real servers on this machine: network namespaces, control groups, processes. Linux, as root. */
@NullMarked
package dev.retier.cli.lab;

import org.jspecify.annotations.NullMarked;
