/** What is collected for whoever helps: one archive. */
@NullMarked
package dev.retier.cli.bundle;

import org.jspecify.annotations.NullMarked;
