package dev.retier.traces;

/**
 * An object known only by its number, as a URL that web-node understands: {@code /static/o12?size=4096} or
 * {@code /dynamic/o12?size=4096}.
 *
 * @param id number of the object, from 0
 * @param requestClass decides the first path segment
 * @param sizeBytes wanted body length, from 0
 */
public record SyntheticObject(long id, RequestClass requestClass, long sizeBytes) {
    /** The request target in origin form. */
    public String target() {
        String folder = switch (requestClass) {
            case STATIC -> "/static/o";
            case DYNAMIC -> "/dynamic/o";
        };
        return folder + id + "?size=" + sizeBytes;
    }
}
