package dev.retier.verbs;

import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;

/**
 * An implementation of DiSNI's verbs API that can be asked for by name. Found by {@link java.util.ServiceLoader}, so it
 * has a public constructor without arguments.
 */
public interface VerbsProvider {
    /** By which name it is asked for: lower case, unique on a class path. */
    String name();

    /** What carries the bytes, for people. */
    String description();

    /**
     * The provider, ready for use.
     *
     * @throws IOException if what it needs is not on this machine; the message says what, and how to get it
     */
    RdmaProvider open() throws IOException;

    /** Whether it made {@code provider}, or a program made it by this implementation's own classes. */
    boolean isMaker(RdmaProvider provider);
}
