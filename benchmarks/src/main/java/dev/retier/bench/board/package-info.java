/** What the decision must do well, and what each term of it is good for. May import all modules. */
@NullMarked
package dev.retier.bench.board;

import org.jspecify.annotations.NullMarked;
