/** {@code bench herd}: many proxies that choose among the same apps by figures that are old. */
@NullMarked
package dev.retier.bench.herd;

import org.jspecify.annotations.NullMarked;
