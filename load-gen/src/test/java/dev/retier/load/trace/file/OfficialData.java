package dev.retier.load.trace.file;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * The World Cup files that may not be part of this repository: in the folder named by the system property
 * {@code retier.worldcup} or the variable RETIER_WORLDCUP, otherwise beside the checkout in {@code shared/worldcup}.
 */
public final class OfficialData {
    private OfficialData() {}

    /** The file, or a visible skip of the test. */
    public static Path require(String name) {
        Path file = folder().resolve(name);
        Assumptions.assumeTrue(
                Files.isReadable(file),
                "needs " + file + "; name its folder with -Dretier.worldcup=... or RETIER_WORLDCUP");
        return file;
    }

    private static Path folder() {
        String property = System.getProperty("retier.worldcup", System.getenv("RETIER_WORLDCUP"));
        if (property != null) {
            return Path.of(property);
        }
        Path root = Path.of("").toAbsolutePath();
        while (root.getParent() != null && !Files.exists(root.resolve(".git"))) {
            root = root.getParent();
        }
        return root.resolveSibling("shared").resolve("worldcup");
    }
}
