/**
 * DiSNI's verbs API over {@code iwarp.net}: one small class per object and per stateful call.
 * May import DiSNI, {@code iwarp.net} and the pure packages.
 */
@NullMarked
package dev.retier.iwarp.verbs;

import org.jspecify.annotations.NullMarked;
