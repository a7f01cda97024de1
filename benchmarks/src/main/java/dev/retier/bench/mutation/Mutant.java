package dev.retier.bench.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * One planted bug and what became of it.
 *
 * @param className of the outermost class that it is in
 * @param method where it is; a constructor is {@code <init>}
 * @param line of the source
 * @param mutator PIT's name of the change
 * @param description PIT's words for it
 * @param status PIT's: {@code KILLED}, {@code SURVIVED}, {@code NO_COVERAGE}, {@code TIMED_OUT} and so on
 */
record Mutant(String className, String method, int line, String mutator, String description, String status) {
    private static final Set<String> ALIVE = Set.of("SURVIVED", "NO_COVERAGE");

    private static final Set<String> UNTRIED = Set.of("NOT_STARTED", "STARTED", "RUN_ERROR");

    /** Made no class that a JVM loads: says nothing about the tests. */
    private static final String NOTHING = "NON_VIABLE";

    /** Whether a test failed, or did not end, on account of it. */
    boolean isKilled() {
        return !ALIVE.contains(status) && !isUntried();
    }

    /** Whether no test came to an end with it: something was wrong around it, such as a build at the same time. */
    boolean isUntried() {
        return UNTRIED.contains(status);
    }

    String packageName() {
        return packageOf(className);
    }

    static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    /**
     * Reads PIT's report {@code mutations.xml}.
     *
     * @throws IOException if it cannot be read
     */
    static List<Mutant> read(Path report) throws IOException {
        List<Mutant> found = new ArrayList<>();
        try (InputStream in = Files.newInputStream(report)) {
            XMLInputFactory factory = XMLInputFactory.newFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT
                        && xml.getLocalName().equals("mutation")) {
                    Mutant mutant = mutant(xml);
                    if (!mutant.status().equals(NOTHING)) {
                        found.add(mutant);
                    }
                }
            }
        } catch (XMLStreamException | NumberFormatException e) {
            throw new IOException(report + " is not a report of PIT: " + e.getMessage(), e);
        }
        return found;
    }

    private static Mutant mutant(XMLStreamReader xml) throws XMLStreamException {
        String status = xml.getAttributeValue(null, "status");
        Map<String, String> fields = new HashMap<>();
        int depth = 1;
        String field = "";
        while (depth > 0) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    depth++;
                    field = xml.getLocalName();
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    field = "";
                }
                case XMLStreamConstants.CHARACTERS -> fields.merge(field, xml.getText(), String::concat);
                default -> {}
            }
        }
        String mutator = fields.getOrDefault("mutator", "");
        return new Mutant(
                fields.getOrDefault("mutatedClass", "").split("\\$", -1)[0],
                fields.getOrDefault("mutatedMethod", ""),
                Integer.parseInt(fields.getOrDefault("lineNumber", "0")),
                mutator.substring(mutator.lastIndexOf('.') + 1),
                fields.getOrDefault("description", ""),
                status);
    }
}
