package dev.retier.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test method once per seed, with a {@link java.util.SplittableRandom} of that seed as its parameter.
 *
 * <p>Seeds are 0, 1, 2, ... so that every run is the same run. The seed is part of the name of each try, and a
 * failure says how to replay it: {@code -Dseed=N} runs that seed alone.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeededExtension.class)
public @interface Seeded {
    /** How many seeds to try each day, at least 1; {@link Repeats} has more of them in a long run. */
    int tries() default 100;
}
