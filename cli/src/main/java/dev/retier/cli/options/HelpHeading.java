package dev.retier.cli.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The heading under which {@code --help} lists the options of a mixin, and of the mixins in it that have none. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface HelpHeading {
    /** The heading, without a colon. */
    String value();
}
