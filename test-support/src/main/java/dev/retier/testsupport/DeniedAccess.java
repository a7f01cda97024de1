package dev.retier.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A virtual machine that lets nobody call native code, as later ones will by default (JEP 472). Stateless. */
public final class DeniedAccess {
    private static final String FLAG = "--illegal-native-access=deny";

    private DeniedAccess() {}

    /**
     * Runs the main method of {@code program} there, with the caller's class path.
     *
     * @return what it printed
     * @throws IOException if it could not be started, or had to be ended after a minute
     */
    public static String output(Class<?> program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        FLAG,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                throw new IOException("still running after a minute: " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
