/** Software iWARP beside plain Java TCP: same sizes, same socket options, same process, interleaved rounds. */
@NullMarked
package dev.retier.bench.iwarp;

import org.jspecify.annotations.NullMarked;
