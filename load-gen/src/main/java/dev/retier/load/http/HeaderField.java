package dev.retier.load.http;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field of every request's head (RFC 9110 section 5).
 *
 * @param name a token; none that says how the request is framed or where it goes
 * @param value visible ASCII, spaces and tabs
 */
public record HeaderField(String name, String value) {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
    private static final Pattern VALUE = Pattern.compile("[ -~\\t]{0,8192}");
    private static final Pattern FORM = Pattern.compile("([^:]*):(.*)", Pattern.DOTALL);

    /** Those that are written by the generator itself, as the request wants them. */
    private static final Set<String> OUR_OWN = Set.of(
            "connection",
            "content-length",
            "content-type",
            "expect",
            "host",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** Refuses, with {@link IllegalArgumentException}, what could end the head or frame the request otherwise. */
    public HeaderField {
        if (!TOKEN.matcher(name).matches() || !VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "header '" + name + "': a name is a word, a value is visible ASCII; write 'Name: value'");
        }
        if (OUR_OWN.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "header '" + name + "' follows from the request and its connection; leave it"
                            + " out (--host, --body-type and --connections set some of them)");
        }
    }

    /**
     * Reads {@code Name: value}.
     *
     * @throws IllegalArgumentException in one line when it has another form
     */
    public static HeaderField parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("header '" + text.strip() + "' has no colon; write 'Name: value'");
        }
        return new HeaderField(form.group(1).strip(), form.group(2).strip());
    }
}
