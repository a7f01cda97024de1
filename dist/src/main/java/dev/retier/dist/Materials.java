package dev.retier.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bill of materials (CycloneDX, JSON) as packages are made from it. Immutable.
 *
 * @param components what is packed, in the order of the file
 * @param uses what each needs, by reference
 * @param root the reference of dist itself
 */
record Materials(List<Component> components, Map<String, List<String>> uses, String root) {
    /** Modules that only commands of retier-tools use. */
    private static final Set<String> TOOL_MODULES = Set.of("load-gen", "simulator", "traces", "fabric");

    private static final String OURS = "dev.retier";

    /**
     * A jar.
     *
     * @param reference how the file names it elsewhere
     * @param group its Maven group
     * @param name its artifact
     * @param version its version
     * @param classifier empty for the main jar
     * @param licences SPDX names, or the names that it gives itself
     */
    record Component(
            String reference, String group, String name, String version, String classifier, List<String> licences) {
        /** The name of its file, as Maven copies it. */
        String file() {
            return name + "-" + version + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar";
        }

        boolean isOurs() {
            return group.equals(OURS);
        }
    }

    Materials {
        components = List.copyOf(components);
        uses = Map.copyOf(uses);
    }

    static Materials read(Path file) throws IOException {
        JsonNode bill = JsonMapper.shared().readTree(Files.readString(file));
        Map<String, List<String>> uses = new HashMap<>();
        bill.path("dependencies")
                .forEach(each -> uses.put(
                        each.path("ref").asString(),
                        each.path("dependsOn")
                                .valueStream()
                                .map(JsonNode::asString)
                                .toList()));
        return new Materials(
                bill.path("components").valueStream().map(Materials::component).toList(),
                uses,
                bill.path("metadata").path("component").path("bom-ref").asString());
    }

    /** The files of the libraries that a node needs, sorted: all that can be reached without a module of the tools. */
    Set<String> nodeLibraries() {
        Map<String, Component> byReference =
                components.stream().collect(Collectors.toMap(Component::reference, component -> component));
        Set<String> files = new TreeSet<>();
        Set<String> seen = new TreeSet<>(List.of(root));
        Deque<String> next = new ArrayDeque<>(seen);
        while (!next.isEmpty()) {
            for (String reference : uses.getOrDefault(next.remove(), List.of())) {
                Component component = byReference.get(reference);
                if (component == null || isTool(component) || !seen.add(reference)) {
                    continue;
                }
                next.add(reference);
                if (!component.isOurs() || !component.name().equals("cli")) {
                    files.add(component.file());
                }
            }
        }
        return files;
    }

    private static boolean isTool(Component component) {
        return component.isOurs() && TOOL_MODULES.contains(component.name());
    }

    private static Component component(JsonNode component) {
        String url = component.path("purl").asString("");
        return new Component(
                component.path("bom-ref").asString(),
                component.path("group").asString(""),
                component.path("name").asString(),
                component.path("version").asString(),
                url.contains("classifier=") ? url.replaceAll(".*classifier=([^&]*).*", "$1") : "",
                licences(component.path("licenses")));
    }

    private static List<String> licences(JsonNode licences) {
        List<String> names = new ArrayList<>();
        licences.forEach(choice -> {
            JsonNode licence = choice.path("license");
            names.add(
                    choice.has("expression")
                            ? choice.path("expression").asString()
                            : licence.path("id").asString(licence.path("name").asString("")));
        });
        return names;
    }
}
