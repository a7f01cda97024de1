package dev.retier.cli.load;

import dev.retier.config.IoReason;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.shape.RequestTemplate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every request asks with, whatever the trace says. */
final class RequestOptions {
    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            description = "Method of every request, as in PUT (default: the trace's; POST with --body).")
    private @Nullable RequestMethod method;

    @Option(
            names = "--body",
            paramLabel = "TEXT|@FILE",
            description = "Body of every request, or the file that has it, up to 8 MiB. {{n}} becomes the number of the"
                    + " request, {{client}} that of its client, {{random}} nine digits.")
    private @Nullable String body;

    @Option(
            names = "--body-type",
            paramLabel = "TYPE",
            defaultValue = "text/plain",
            description = "Content-Type of --body (default: ${DEFAULT-VALUE}).")
    private String type = "text/plain";

    /**
     * As the options say.
     *
     * @param seed of the random numbers
     * @throws IllegalArgumentException for a file that cannot be read, a body that is too long, and for a type that is
     *     none
     */
    RequestTemplate template(long seed) {
        if (method == RequestMethod.OTHER || method == RequestMethod.CONNECT) {
            throw new IllegalArgumentException("--method " + method
                    + " asks for no page; use GET, HEAD, POST, PUT, DELETE," + " OPTIONS or TRACE");
        }
        String text = body == null ? null : body(body);
        RequestMethod wanted = method == null && text != null ? RequestMethod.POST : method;
        RequestTemplate template = new RequestTemplate(wanted, text, type, seed);
        if (text != null) {
            var _ = new RequestBody(type, text.getBytes(StandardCharsets.ISO_8859_1));
        }
        return template;
    }

    private static String body(String given) {
        if (!given.startsWith("@")) {
            return new String(given.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }
        Path file = Path.of(given.substring(1));
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException("--body " + given + ": cannot be read (" + IoReason.of(e) + ")", e);
        }
    }
}
