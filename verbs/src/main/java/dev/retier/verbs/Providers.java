package dev.retier.verbs;

import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Locale;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The choice among the {@linkplain VerbsProvider providers} on the class path. DiSNI has room for one per process.
 *
 * <p>A program that names none gets the one that the system property {@value #PROPERTY} names, else {@value #DEFAULT}.
 * Safe for any thread.
 */
public final class Providers {
    /** System property: the name of the provider for programs that choose none. */
    public static final String PROPERTY = "retier.rdma.provider";

    /** Who is used when nothing is said. */
    public static final String DEFAULT = "iwarp";

    private static final ProviderChoice CHOICE =
            new ProviderChoice(ServiceLoader.load(VerbsProvider.class, Providers.class.getClassLoader()));

    private Providers() {}

    /** The name that the system property asks for, or the default. */
    public static String chosen() {
        return System.getProperty(PROPERTY, DEFAULT).toLowerCase(Locale.ROOT);
    }

    /**
     * The provider that DiSNI uses. If it uses none yet, from now on the one that {@link #use} was asked for and could
     * not have, else the {@linkplain #chosen chosen} one.
     *
     * @throws IOException if none of this name is on the class path, or it lacks something; the message says what
     */
    public static RdmaProvider provider() throws IOException {
        return CHOICE.provider(chosen());
    }

    /**
     * Makes DiSNI use the provider {@code name}, for the whole process. If DiSNI uses one already, whoever installed
     * it, only makes sure that it is one of that name.
     *
     * @throws IOException as {@link #provider} does, and if the process already uses another one
     */
    public static void use(String name) throws IOException {
        CHOICE.use(name);
    }

    /**
     * Makes DiSNI use {@code provider} from now on. Objects made before keep theirs.
     *
     * @throws IllegalStateException if DiSNI is none that this was made for
     */
    public static void install(RdmaProvider provider) {
        try {
            field().set(null, provider);
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    /** What DiSNI uses, if anything has been asked of it. */
    static @Nullable RdmaProvider installed() {
        try {
            return (RdmaProvider) field().get(null);
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    private static Field field() throws NoSuchFieldException {
        Field field = RdmaProvider.class.getDeclaredField("provider");
        field.setAccessible(true);
        return field;
    }

    private static IllegalStateException unknown(ReflectiveOperationException cause) {
        return new IllegalStateException("this DiSNI has no field RdmaProvider.provider; use version 2.1", cause);
    }
}
