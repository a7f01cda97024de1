/** Pure: what an emulated data-center can do, by arithmetic. May import the JDK only. */
@NullMarked
package dev.retier.cli.model;

import org.jspecify.annotations.NullMarked;
