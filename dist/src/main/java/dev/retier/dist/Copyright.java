package dev.retier.dist;

import dev.retier.dist.Materials.Component;
import java.util.stream.Collectors;

/** The list of licences, in the form of Debian's copyright files (DEP-5). Stateless. */
final class Copyright {
    private static final String APACHE_TEXT = """

            License: Apache-2.0
             On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0; elsewhere at
             https://www.apache.org/licenses/LICENSE-2.0.txt.
            """;

    private static final String HEAD = """
            Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
            Upstream-Name: retier
            Comment: One paragraph for each library, from the bill of materials (sbom.json.gz) of this build.
             A library brings its own notices inside its jar (META-INF).

            Files: *
            Copyright: 2026 the retier developers
            License: Apache-2.0
            """;

    /** The virtual machine brings a folder with the texts of its own licences. */
    private static final String RUNTIME = """

            Files: usr/lib/retier/runtime/*
            Copyright: Oracle and/or its affiliates, and others; see usr/lib/retier/runtime/legal
            License: GPL-2 with Classpath exception
             The texts are in /usr/lib/retier/runtime/legal, a folder for each module. On Debian systems the text
             of the GPL is also in /usr/share/common-licenses/GPL-2.
            """;

    private Copyright() {}

    /** @throws IllegalStateException when a library names no licence: then somebody must find it out */
    static String of(Materials materials) {
        return HEAD
                + RUNTIME
                + materials.components().stream()
                        .filter(component -> !component.isOurs())
                        .map(Copyright::paragraph)
                        .collect(Collectors.joining())
                + APACHE_TEXT;
    }

    private static String paragraph(Component component) {
        if (component.licences().isEmpty()) {
            throw new IllegalStateException(component.file() + " names no licence in its POM");
        }
        String licence = String.join(" or ", component.licences());
        String text = licence.equals("Apache-2.0") ? "" : "\n See the notices in the jar.";
        return "\nFiles: usr/lib/retier/*/" + component.file() + "\nCopyright: the authors of " + component.group()
                + ":" + component.name() + "\nLicense: " + licence + text + "\n";
    }
}
