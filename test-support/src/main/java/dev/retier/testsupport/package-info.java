/** Fixtures that the tests of several modules share. May import the JDK and the JUnit API only. */
@NullMarked
package dev.retier.testsupport;

import org.jspecify.annotations.NullMarked;
