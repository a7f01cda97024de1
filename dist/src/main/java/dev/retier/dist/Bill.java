package dev.retier.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bill of materials of the packages: that of the build, which knows what comes from Maven, and what else is in
 * them, the virtual machine and the script that draws the page's charts. Stateless.
 */
final class Bill {
    private static final String CHARTS = "/dev/retier/agent/http/page/uplot/uPlot.iife.min.js";
    private static final Pattern CHARTS_VERSION = Pattern.compile("uPlot \\(v([0-9.]+)\\)");

    private Bill() {}

    /**
     * As a file.
     *
     * @param built what the build found (CycloneDX, JSON)
     * @param runtime of the virtual machine that is packed
     * @throws IOException when a file cannot be read
     */
    static String of(Path built, Runtime.Version runtime) throws IOException {
        ObjectNode bill = (ObjectNode) JsonMapper.shared().readTree(Files.readString(built));
        ArrayNode components = bill.withArray("components");
        add(components, "platform", "openjdk", runtime.toString(), "pkg:generic/openjdk@")
                .addObject()
                .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
        add(components, "library", "uplot", chartsVersion(), "pkg:npm/uplot@")
                .addObject()
                .putObject("license")
                .put("id", "MIT");
        return bill.toPrettyString() + "\n";
    }

    private static ArrayNode add(ArrayNode components, String type, String name, String version, String url) {
        String reference = url + version.replace("+", "%2B");
        for (JsonNode there : components) {
            if (there.path("bom-ref").asString("").equals(reference)) {
                throw new IllegalStateException(reference + " is in the bill already");
            }
        }
        return components
                .addObject()
                .put("type", type)
                .put("bom-ref", reference)
                .put("name", name)
                .put("version", version)
                .put("purl", reference)
                .putArray("licenses");
    }

    private static String chartsVersion() throws IOException {
        try (InputStream script = Bill.class.getResourceAsStream(CHARTS)) {
            if (script == null) {
                throw new IllegalStateException(CHARTS + " is not on the class path");
            }
            Matcher matcher = CHARTS_VERSION.matcher(new String(script.readAllBytes(), StandardCharsets.UTF_8));
            if (!matcher.find()) {
                throw new IllegalStateException(CHARTS + " does not say its version");
            }
            return matcher.group(1);
        }
    }
}
