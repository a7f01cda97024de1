/** Fixtures that the tests of several modules share. May import the JDK, DiSNI and test libraries only. */
@NullMarked
package dev.retier.testsupport;

import org.jspecify.annotations.NullMarked;
