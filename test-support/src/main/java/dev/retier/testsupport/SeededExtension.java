package dev.retier.testsupport;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Carries out {@link Seeded}. Stateless. */
final class SeededExtension implements TestTemplateInvocationContextProvider {
    private static final String SEED_PROPERTY = "seed";

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Seeded.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Long replayed = Long.getLong(SEED_PROPERTY);
        LongStream seeds = replayed == null
                ? LongStream.range(
                        0,
                        Repeats.of(context.getRequiredTestMethod()
                                .getAnnotation(Seeded.class)
                                .tries()))
                : LongStream.of(replayed);
        return seeds.mapToObj(Try::new);
    }

    private record Try(long seed) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return "seed " + seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new RandomParameter(seed), new ReplayHint(seed));
        }
    }

    private record RandomParameter(long seed) implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SplittableRandom.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new SplittableRandom(seed);
        }
    }

    private record ReplayHint(long seed) implements TestExecutionExceptionHandler {
        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
            failure.addSuppressed(new SeedNote("replay with -Dseed=" + seed));
            throw failure;
        }
    }

    /** Only a message under the failure; it has no stack of its own. */
    private static final class SeedNote extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SeedNote(String message) {
            super(message, null, false, false);
        }
    }
}
