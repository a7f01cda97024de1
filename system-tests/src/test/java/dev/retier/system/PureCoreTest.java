package dev.retier.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLConnection;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Pure cores: no sockets, files, threads, clocks, unseeded randomness or loggers (docs/ARCHITECTURE.md). A path or
 * an address is a name and allowed, what opens it is not; so is a lock that guards a table.
 */
class PureCoreTest {
    /** Packages whose classes take time and bytes as arguments and give effects as values. */
    static final List<String> PURE = List.of(
            "dev.retier.agent.access",
            "dev.retier.agent.command",
            "dev.retier.agent.config",
            "dev.retier.agent.decide",
            "dev.retier.agent.loop",
            "dev.retier.agent.move",
            "dev.retier.agent.render",
            "dev.retier.agent.status",
            "dev.retier.agent.view",
            "dev.retier.balance",
            "dev.retier.cli.bundle.text",
            "dev.retier.cli.grid",
            "dev.retier.cli.lab.plan",
            "dev.retier.cli.top",
            "dev.retier.cli.view",
            "dev.retier.config",
            "dev.retier.fabric.calls",
            "dev.retier.fabric.directory",
            "dev.retier.fabric.locks.protocol",
            "dev.retier.iwarp.ddp",
            "dev.retier.iwarp.mpa",
            "dev.retier.iwarp.rdmap",
            "dev.retier.iwarp.tls",
            "dev.retier.iwarp.wire",
            "dev.retier.link.auth",
            "dev.retier.link.core",
            "dev.retier.load.http",
            "dev.retier.load.measure",
            "dev.retier.load.report",
            "dev.retier.load.report.page",
            "dev.retier.load.schedule",
            "dev.retier.load.target",
            "dev.retier.report",
            "dev.retier.sim.blocks",
            "dev.retier.sim.cluster",
            "dev.retier.sim.faults",
            "dev.retier.sim.herd",
            "dev.retier.sim.locks",
            "dev.retier.sim.model",
            "dev.retier.sim.page",
            "dev.retier.sim.run",
            "dev.retier.sim.service",
            "dev.retier.sim.time",
            "dev.retier.state.lock",
            "dev.retier.state.slot",
            "dev.retier.traces",
            "dev.retier.traces.made",
            "dev.retier.traces.play",
            "dev.retier.traces.shape",
            "dev.retier.traces.statistics",
            "dev.retier.traces.text",
            "dev.retier.traces.worldcup",
            "dev.retier.undertow.role",
            "dev.retier.volume.cache",
            "dev.retier.volume.config",
            "dev.retier.volume.nbd",
            "dev.retier.volume.pool",
            "dev.retier.volume.session",
            "dev.retier.volume.table",
            "dev.retier.volume.wire",
            "dev.retier.webnode.config",
            "dev.retier.webnode.core");

    private static final String[] PURE_PACKAGES = PURE.toArray(String[]::new);

    @Test
    void shouldNameOnlyPackagesThatExist() {
        assertThat(PURE)
                .allSatisfy(name -> assertThat(ImportTableTest.PRODUCT.stream().map(JavaClass::getPackageName))
                        .contains(name));
    }

    @Test
    void shouldUseNoSocketFileThreadOrLogger() {
        ArchRule rule = noClasses()
                .that()
                .resideInAnyPackage(PURE_PACKAGES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net.http..",
                        "java.nio.channels..",
                        "java.util.logging..",
                        "org.slf4j..",
                        "io.undertow..",
                        "io.netty.channel..",
                        "io.netty.bootstrap..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Socket.class,
                        ServerSocket.class,
                        DatagramSocket.class,
                        URLConnection.class,
                        Files.class,
                        Thread.class,
                        Executor.class,
                        ThreadLocalRandom.class,
                        File.class,
                        FileInputStream.class,
                        FileOutputStream.class,
                        Random.class,
                        SecureRandom.class,
                        Clock.class);
        rule.check(ImportTableTest.PRODUCT);
    }

    @Test
    void shouldAskNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE_PACKAGES)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "now() of java.time",
                        call -> call.getTargetOwner().getPackageName().equals("java.time")
                                && call.getName().equals("now")))
                .orShould()
                .callConstructor(SplittableRandom.class)
                .check(ImportTableTest.PRODUCT);
    }
}
