package dev.retier.dist;

import dev.retier.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes the papers of the packages: the entry for the build. */
public final class Papers {
    private Papers() {}

    /**
     * Writes {@code retier.1}, {@code completion}, {@code copyright}, {@code changelog}, {@code node-libraries} and
     * {@code sbom.json}. The virtual machine that runs this is the one that is packed.
     *
     * @param arguments the bill of materials, the version, its time (ISO 8601) and the folder to write to
     * @throws IOException when a file cannot be read or written
     */
    public static void main(String... arguments) throws IOException {
        Path built = Path.of(arguments[0]);
        Materials materials = Materials.read(built);
        String version = arguments[1];
        Instant time = Instant.parse(arguments[2]);
        Path folder = Path.of(arguments[3]);
        CommandLine retier = Main.commandLine();
        Files.writeString(folder.resolve("retier.1"), ManPage.of(retier, version, time));
        Files.writeString(folder.resolve("completion"), completion(retier));
        Files.writeString(folder.resolve("copyright"), Copyright.of(materials));
        Files.writeString(folder.resolve("changelog"), changelog(version, time));
        Files.write(folder.resolve("node-libraries"), materials.nodeLibraries());
        Files.writeString(folder.resolve("sbom.json"), Bill.of(built, Runtime.version()));
    }

    /** Without its first line, which is for scripts: this one is read by a shell that runs already. */
    private static String completion(CommandLine retier) {
        return AutoComplete.bash("retier", retier).replaceFirst("^#!.*\\R", "");
    }

    /** In the form that Debian's tools read (deb-changelog(5)); what has changed is in CHANGELOG.md. */
    private static String changelog(String version, Instant time) {
        String date = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT)
                .format(time.atOffset(ZoneOffset.UTC));
        return "retier (" + debianVersion(version) + ") unstable; urgency=medium\n\n"
                + "  * See CHANGELOG.md of this version.\n\n"
                + " -- retier developers <developers@retier.invalid>  " + date + "\n";
    }

    /** A snapshot sorts before its release, as jdeb has it. */
    private static String debianVersion(String version) {
        return version.replace("-SNAPSHOT", "~snapshot");
    }
}
