/** What the tests of several packages share. */
@NullMarked
package dev.retier.iwarp.testbed;

import org.jspecify.annotations.NullMarked;
