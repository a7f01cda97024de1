/** Opens trace files: the only place of this module's readers that touches the file system. */
@NullMarked
package dev.retier.traces.file;

import org.jspecify.annotations.NullMarked;
