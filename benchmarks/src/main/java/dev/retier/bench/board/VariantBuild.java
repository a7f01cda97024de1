package dev.retier.bench.board;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles what a variant changes, to be put before the product on a class path. Stateless. */
final class VariantBuild {
    private static final String AGENT_PACKAGE = "dev/retier/agent/";
    /** Sources name them; they are on no class path, as nothing at run time needs them. */
    private static final Map<String, String> ANNOTATIONS = Map.of(
            "org/jspecify/annotations/NullMarked.java",
            "package org.jspecify.annotations; public @interface NullMarked {}",
            "org/jspecify/annotations/Nullable.java",
            "package org.jspecify.annotations; import java.lang.annotation.*;"
                    + " @Target(ElementType.TYPE_USE) public @interface Nullable {}");

    private VariantBuild() {}

    /** Where the sources of the agent are in a checkout. */
    static Path agentSources(Path root) {
        return root.resolve("reconfig-agent/src/main/java").resolve(AGENT_PACKAGE);
    }

    /**
     * Compiles {@code variant} into {@code folder}.
     *
     * @param root of the checkout
     * @throws IOException if a text is not where the variant says, or what comes of it is no Java
     */
    static void compile(Variant variant, Path root, Path folder) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        variant.sources(agentSources(root))
                .forEach((file, text) -> sources.add(new Source(AGENT_PACKAGE + file, text)));
        ANNOTATIONS.forEach((file, text) -> sources.add(new Source(file, text)));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        Files.createDirectories(folder);
        List<String> options =
                List.of("-d", folder.toString(), "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
        if (!compiler.getTask(complaints, null, null, options, null, sources).call()) {
            throw new IOException("variant '" + variant.name() + "' is no Java: " + complaints);
        }
    }

    /** A source that is in no file. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
