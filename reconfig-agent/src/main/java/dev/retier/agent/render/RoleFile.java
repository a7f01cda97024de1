package dev.retier.agent.render;

import org.jspecify.annotations.Nullable;

/** What a generated file says, as far as one must know to see whether a server runs it. Equal files say the same. */
public interface RoleFile {
    /** Its number; see {@link dev.retier.agent.view.Stamps}. */
    long stamp();

    /** {@code proxy}, {@code app} or {@code spare}. */
    String role();

    /** Name of the site, null for a spare. */
    @Nullable
    String site();
}
