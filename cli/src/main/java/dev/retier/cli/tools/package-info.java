/** Names the commands that no node needs; it and they are in the package retier-tools. */
@NullMarked
package dev.retier.cli.tools;

import org.jspecify.annotations.NullMarked;
