package dev.retier.bench.mutation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What is mutated, as the properties {@code mutation.*} of the parent POM say.
 *
 * @param modules whose classes and unit tests are taken
 * @param pure packages that decide without time, sockets and threads, each without those below it
 * @param drivers packages around them, likewise
 * @param testsLeftOut patterns of classes whose tests are not run
 */
record Scope(List<String> modules, List<String> pure, List<String> drivers, List<String> testsLeftOut) {
    /** Of the mutants of a pure package, at least this share is to die. */
    static final double PURE_SHARE = 0.85;

    /** Of the mutants of a package of drivers. */
    static final double DRIVER_SHARE = 0.75;

    private static final String PREFIX = "mutation.";

    /**
     * Reads {@code pom}.
     *
     * @throws IOException if it cannot be read or lacks one of the properties
     */
    static Scope of(Path pom) throws IOException {
        Map<String, List<String>> lists = new HashMap<>();
        try {
            NodeList all = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getElementsByTagName("properties")
                    .item(0)
                    .getChildNodes();
            for (int i = 0; i < all.getLength(); i++) {
                Node each = all.item(i);
                if (each.getNodeName().startsWith(PREFIX)) {
                    String[] words = each.getTextContent().strip().split("\\s+", -1);
                    lists.put(each.getNodeName().substring(PREFIX.length()), List.copyOf(Arrays.asList(words)));
                }
            }
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(pom + " cannot be read: " + e.getMessage(), e);
        }
        for (String name : List.of("modules", "pure", "drivers", "tests-left-out")) {
            if (!lists.containsKey(name)) {
                throw new IOException(pom + " lacks the property " + PREFIX + name);
            }
        }
        return new Scope(
                lists.getOrDefault("modules", List.of()),
                lists.getOrDefault("pure", List.of()),
                lists.getOrDefault("drivers", List.of()),
                lists.getOrDefault("tests-left-out", List.of()));
    }

    boolean isPure(String packageName) {
        return pure.contains(packageName);
    }

    /** The share of mutants of {@code packageName} that is to die; empty if it is not listed. */
    Optional<Double> target(String packageName) {
        if (isPure(packageName)) {
            return Optional.of(PURE_SHARE);
        }
        return drivers.contains(packageName) ? Optional.of(DRIVER_SHARE) : Optional.empty();
    }
}
