/** Commands of an operator at running agents, and on their journals and files. */
@NullMarked
package dev.retier.cli.operate;

import org.jspecify.annotations.NullMarked;
