/** What sub-commands share: picocli mixins, converters of values, and checks of what they name. */
@NullMarked
package dev.retier.cli.options;

import org.jspecify.annotations.NullMarked;
