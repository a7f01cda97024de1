/** {@code bench binding}: what native-verbs itself costs. */
@NullMarked
package dev.retier.bench.binding;

import org.jspecify.annotations.NullMarked;
