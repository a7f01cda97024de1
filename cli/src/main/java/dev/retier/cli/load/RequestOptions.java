package dev.retier.cli.load;

import dev.retier.config.IoReason;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.shape.RequestTemplate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What every request asks with, whatever the trace says. */
final class RequestOptions {
    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            converter = MethodConverter.class,
            description = "Method of every request, as in PUT (default: the trace's; POST with --body).")
    private @Nullable RequestMethod method;

    @Option(
            names = "--body",
            paramLabel = "TEXT|@FILE",
            description = "Body of every request, or the file that has it. {{n}} becomes the number of the request,"
                    + " {{client}} that of its client, {{random}} nine digits; a file of more than 8 MiB, up to 2 GiB,"
                    + " is sent as it is, from the disk's cache.")
    private @Nullable String body;

    @Option(
            names = "--body-type",
            paramLabel = "TYPE",
            defaultValue = "text/plain",
            description = "Content-Type of --body (default: ${DEFAULT-VALUE}).")
    private String type = "text/plain";

    static final class MethodConverter implements ITypeConverter<RequestMethod> {
        /** CONNECT asks for no page, and other words for what only one server knows. */
        private static final List<RequestMethod> SENT =
                EnumSet.complementOf(EnumSet.of(RequestMethod.CONNECT, RequestMethod.OTHER)).stream()
                        .toList();

        @Override
        public RequestMethod convert(String text) {
            return SENT.stream()
                    .filter(method -> method.name().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' cannot be sent; use one of "
                            + SENT.stream().map(Enum::name).collect(Collectors.joining(", "))));
        }
    }

    /**
     * As the options say.
     *
     * @param seed of the random numbers
     * @throws IllegalArgumentException for a file that cannot be read, a body that is too long, and for a type that is
     *     none
     */
    RequestTemplate template(long seed) {
        String given = body;
        RequestMethod wanted = method == null && given != null ? RequestMethod.POST : method;
        if (given == null || !given.startsWith("@")) {
            String text = given == null ? null : bytewise(given.getBytes(StandardCharsets.UTF_8));
            return new RequestTemplate(wanted, text, type, seed);
        }
        Path path = Path.of(given.substring(1));
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IllegalArgumentException("--body " + given + ": is no regular file; its length has to be known"
                    + " beforehand, so write what it gives to a file first");
        }
        try (FileChannel file = FileChannel.open(path)) {
            if (file.size() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("--body " + given + ": is longer than 2 GiB; give less of it");
            }
            ByteBuffer bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
            if (bytes.remaining() > RequestBody.MAX_BYTES) {
                return new RequestTemplate(wanted, null, type, seed, RequestBody.shared(type, bytes));
            }
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return new RequestTemplate(wanted, bytewise(copy), type, seed);
        } catch (IOException e) {
            throw new IllegalArgumentException("--body " + given + ": cannot be read (" + IoReason.of(e) + ")", e);
        }
    }

    /** A character for each byte. */
    private static String bytewise(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
