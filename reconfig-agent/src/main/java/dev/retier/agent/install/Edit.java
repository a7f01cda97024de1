package dev.retier.agent.install;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One change of a file of the operator's. */
public sealed interface Edit {
    /** Of which file. */
    Path file();

    /**
     * Another text.
     *
     * @param before what it said; null where there was none
     * @param after what it says then
     */
    record Text(Path file, @Nullable String before, String after) implements Edit {}

    /**
     * A symbolic link where there is nothing.
     *
     * @param target as the link has it
     */
    record Link(Path file, String target) implements Edit {}
}
