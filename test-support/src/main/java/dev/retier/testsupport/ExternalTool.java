package dev.retier.testsupport;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Programs that a test needs and that a machine may lack. Stateless. */
public final class ExternalTool {
    /** When true, a missing program fails the test instead of skipping it; CI sets it. */
    public static final String REQUIRE_PROPERTY = "retier.tests.require-tools";

    private ExternalTool() {}

    /**
     * The path of {@code program} on the PATH; an absolute path is itself.
     *
     * @throws TestAbortedException if it is not installed: the test is skipped, and the reason is in the report
     * @throws AssertionFailedError if it is not installed and {@value #REQUIRE_PROPERTY} is true
     */
    public static Path find(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> missing(program));
    }

    private static RuntimeException missing(String program) {
        String message = program + " is not on the PATH; install it to run this test";
        if (Boolean.getBoolean(REQUIRE_PROPERTY)) {
            throw new AssertionFailedError(message);
        }
        return new TestAbortedException(message);
    }
}
