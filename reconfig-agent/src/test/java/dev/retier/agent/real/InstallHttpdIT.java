package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import dev.retier.agent.status.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into Debian's httpd as it is packaged, with a site that an administrator has added, and out of it again. */
class InstallHttpdIT {
    @TempDir
    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init") // by JUnit, before each test
    private PackagedHttpd httpd;

    @BeforeEach
    void copyDebian() throws IOException {
        httpd = PackagedHttpd.debian(folder);
    }

    @AfterEach
    void end() {
        httpd.close();
    }

    /** What was written last is taken back first: the second version of a file, then the first. */
    @Test
    void shouldLeaveWhatTheAdministratorAdded_whenItWasInstalledTwice() throws Exception {
        Path shop = httpd.root().resolve("sites-available/shop.conf");
        String before = Files.readString(shop);
        Installation installation = httpd.installation();
        installation.install(installation.plan(), null);
        String added = httpd.site(httpd.address()).replace("ServerName", "ServerAlias");
        Files.writeString(shop, added, StandardOpenOption.APPEND);
        installation.install(installation.plan(), null);

        List<String> said = new ArrayList<>();
        installation.remove(said::add);

        assertThat(shop).content().isEqualTo(before + added);
        assertThat(said).as("%s", said).hasSize(1);
    }

    @Test
    void shouldLeaveALink_whenTheAdministratorHasMadeItLeadElsewhere() throws Exception {
        Path enabled = httpd.root().resolve("mods-enabled");
        Set<Path> before = links(enabled);
        Installation installation = httpd.installation();
        installation.install(installation.plan(), null);
        Path link = links(enabled).stream()
                .filter(one -> !before.contains(one))
                .findFirst()
                .orElseThrow();
        Path own = Path.of("/etc/apache2/own/" + link.getFileName());
        Files.delete(link);
        Files.createSymbolicLink(link, own);

        installation.remove(_ -> {});

        assertThat(links(enabled)).contains(link);
        assertThat(Files.readSymbolicLink(link)).isEqualTo(own);
    }

    private static Set<Path> links(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isSymbolicLink).collect(Collectors.toSet());
        }
    }

    @Test
    void shouldMakeItFitForMoves_andRestoreEachByte() throws Exception {
        SortedMap<Path, String> before = httpd.tree();
        Installation installation = httpd.installation();
        List<Edit> edits = installation.plan();
        assertThat(httpd.tree()).as("a plan changes nothing").isEqualTo(before);
        assertThat(edits.stream().flatMap(edit -> Installation.shown(edit).stream()))
                .contains("    +Listen " + httpd.admin())
                .anyMatch(line -> line.endsWith("rewrite.load -> ../mods-available/rewrite.load"));

        installation.install(edits, null);

        httpd.start();
        List<Finding> findings = httpd.findings();
        assertThat(findings.stream().filter(Finding::isBad)).isEmpty();
        assertThat(findings)
                .anyMatch(found ->
                        found.check().equals("virtual-hosts") && found.detail().startsWith("2 "));
        assertThat(PackagedHttpd.body(httpd.address(), PackagedHttpd.NAME)).isEqualTo("the shop");
        assertThat(PackagedHttpd.body(httpd.second(), PackagedHttpd.NAME)).isEqualTo("the shop");
        assertThat(PackagedHttpd.body(httpd.address(), "www.debian.example")).isEqualTo("Debian Default Page");
        assertThat(httpd.installation().plan()).as("a second time").isEmpty();

        List<String> told = new ArrayList<>();
        httpd.installation().remove(told::add);

        assertThat(httpd.tree()).isEqualTo(before);
        assertThat(told).isEmpty();
        assertThat(folder.resolve("etc")).isEmptyDirectory();
        assertThatThrownBy(() -> httpd.installation().remove(told::add)).hasMessageContaining("nothing is installed");
    }

    @Test
    void shouldLeaveAVirtualHost_whenItsAdministratorSaysSo() throws Exception {
        Path site = httpd.root().resolve("sites-available/shop.conf");
        String text = Files.readString(site);
        int last = text.lastIndexOf("ServerName");
        Files.writeString(site, text.substring(0, last) + "# retier: leave, it is a console\n" + text.substring(last));
        Installation installation = httpd.installation();

        installation.install(installation.plan(), null);

        httpd.start();
        assertThat(Files.readString(site).split("By retier install", -1)).hasSize(2);
        List<Finding> findings = httpd.findings();
        assertThat(findings.stream().filter(Finding::isBad)).isEmpty();
        assertThat(findings)
                .anyMatch(found ->
                        found.check().equals("virtual-hosts") && found.detail().startsWith("1 "));
    }

    @Test
    void shouldTakeOutItsLinesAlone_whenSomebodyHasChangedAFile() throws Exception {
        InstallChecks.onlyItsLinesGo(
                httpd.installation(),
                httpd.root().resolve("sites-available/shop.conf"),
                httpd.root().resolve("sites-enabled/shop.conf"));
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheCheckerRefusesTheWhole() throws Exception {
        Files.writeString(
                httpd.root().resolve("mods-available/rewrite.load"),
                "LoadModule rewrite_module /nonexistent/rewrite.so\n");
        SortedMap<Path, String> before = httpd.tree();

        InstallChecks.isRefused(httpd.installation(), "/nonexistent/rewrite.so");

        assertThat(httpd.tree()).isEqualTo(before);
        assertThat(folder.resolve("etc")).isEmptyDirectory();
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheGeneratedFileCannotBeWritten() throws Exception {
        SortedMap<Path, String> before = httpd.tree();
        Files.delete(folder.resolve("etc"));
        Files.writeString(folder.resolve("etc"), "no folder");

        InstallChecks.isRefused(httpd.installation(), "retier.conf");

        assertThat(httpd.tree()).isEqualTo(before);
    }

    @Test
    void shouldKeepTheEndsOfLines_whenAnEditorOfAnotherSystemHasWrittenThem() throws Exception {
        Path site = httpd.root().resolve("sites-available/shop.conf");
        String before = Files.readString(site).replace("\n", "\r\n");
        Files.writeString(site, before);
        Installation installation = httpd.installation();

        installation.install(installation.plan(), null);

        assertThat(Files.readString(site).replaceAll("\t# By retier install:\n.*\n", ""))
                .isEqualTo(before);
    }

    @Test
    void shouldSayWhatToDo_whenNoVirtualHostIsTheSites() throws Exception {
        Files.delete(httpd.root().resolve("sites-enabled/shop.conf"));

        assertThatThrownBy(() -> httpd.installation().plan()).hasMessageContaining("ServerName");
    }

    /** All modules that are installed are loaded there, and a folder is read as a whole. */
    @Test
    void shouldMakeItFitForMoves_whenTheFilesLieAsInRhel(@TempDir Path other) throws Exception {
        try (PackagedHttpd rhel = PackagedHttpd.rhel(other)) {
            SortedMap<Path, String> before = rhel.tree();
            Installation installation = rhel.installation();

            installation.install(installation.plan(), null);

            rhel.start();
            assertThat(rhel.findings().stream().filter(Finding::isBad)).isEmpty();
            assertThat(rhel.root().resolve("conf.d/00-retier.conf")).content().contains("Listen " + rhel.admin());
            assertThat(PackagedHttpd.body(rhel.address(), PackagedHttpd.NAME)).isEqualTo("the shop");
            assertThat(PackagedHttpd.body(rhel.second(), PackagedHttpd.NAME)).isEqualTo("the shop");
            assertThat(PackagedHttpd.body(rhel.address(), "www.other.example")).isEqualTo("Debian Default Page");
            assertThat(rhel.installation().plan()).as("a second time").isEmpty();

            rhel.installation().remove(said -> assertThat(said).isEmpty());

            assertThat(rhel.tree()).isEqualTo(before);
        }
    }
}
