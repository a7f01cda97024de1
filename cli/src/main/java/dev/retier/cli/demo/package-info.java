/** {@code retier demo}: an emulated data-center in this process, rigid first and then reconfigured. */
@NullMarked
package dev.retier.cli.demo;

import org.jspecify.annotations.NullMarked;
