package dev.retier.bench;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/** Says beside a measurement what its figures depend on and what it needs, for {@code bench all}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Measures {
    /** Packages of {@code reconfig-agent}, below its own, that the simulator runs: pure ones all. */
    List<String> SIMULATED = List.of("command", "config", "decide", "loop", "move", "render", "status", "view");

    /** Modules whose shipped sources it runs; its own package always counts. */
    String[] modules();

    /** Whether it runs their tests, so that these count too. */
    boolean tests() default false;

    /** Whether agents run in virtual time alone, so that of theirs only {@link #SIMULATED} counts. */
    boolean simulated() default false;

    /** Other files and folders of the checkout that it reads. */
    String[] files() default {};

    /** Without these it cannot run at all. */
    Need[] needs() default {};

    /** What a machine may lack. */
    enum Need {
        /** The user is root, for network namespaces and control groups. */
        ROOT,
        /** Apache httpd, as Debian calls it. */
        APACHE2,
        /** HAProxy. */
        HAPROXY,
        /** The command {@code ip}. */
        IP,
        /** nginx. */
        NGINX,
        /** The command {@code taskset}. */
        TASKSET,
        /** The command {@code prlimit}. */
        PRLIMIT,
        /** Maven. */
        MVN
    }
}
