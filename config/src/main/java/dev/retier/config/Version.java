package dev.retier.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of all modules, that of the POM: the build writes it beside this class. */
public final class Version {
    private Version() {}

    /** The version, such as {@code 1.2.0} or {@code 1.3.0-SNAPSHOT}. Any thread. */
    public static String current() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(Objects.requireNonNull(in, "version.properties is missing from the build"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
