package dev.retier.load.report;

import dev.retier.load.LoadException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results as JSON: an array of {@link LoadResult}, keys with units. Reads back what it wrote, exactly. Stateless. */
public final class ResultJson {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ResultJson() {}

    /** The JSON text. */
    public static String write(List<LoadResult> runs) {
        return MAPPER.writeValueAsString(runs);
    }

    /**
     * The results in {@code json}.
     *
     * @param origin file name, for the message
     * @throws LoadException in one line, naming the origin, when the text is no such array
     */
    public static List<LoadResult> read(String origin, String json) {
        try {
            return MAPPER.readValue(json, new TypeReference<List<LoadResult>>() {});
        } catch (JacksonException e) {
            throw new LoadException(
                    "result " + origin + ", line " + Math.max(1, e.getLocation().getLineNr())
                            + ": is no result that this version of retier load --json writes; run it again, or"
                            + " read it with the version that wrote it",
                    e);
        }
    }
}
