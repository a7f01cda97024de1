/** Pure: takes secrets and names out of texts; may import the JDK and the agent's configuration only. */
@NullMarked
package dev.retier.cli.bundle.text;

import org.jspecify.annotations.NullMarked;
