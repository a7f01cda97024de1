package dev.retier.agent.daemon;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.view.RoleText;
import dev.retier.config.DurationText;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * The configuration that an agent runs, with what the file leaves to the defaults, for programs. Of commands it has the
 * program alone: an operator may have put anything behind it. Where a secret is is told, never the secret. Stateless.
 */
final class ConfigPage {
    private ConfigPage() {}

    static String text(ClusterConfig config) {
        SimpleModule words = new SimpleModule();
        add(words, Duration.class, DurationText::print);
        add(words, HostPort.class, HostPort::toString);
        add(words, Path.class, Path::toString);
        add(words, NodeId.class, id -> config.node(id).name());
        add(words, SiteId.class, id -> RoleText.site(id, config));
        add(words, Role.class, role -> RoleText.of(role, config));
        add(words, MainProcess.class, MainProcess::toString);
        add(words, SecretSource.class, ConfigPage::secret);
        add(words, ServerControl.Commands.class, ConfigPage::programs);
        words.addSerializer(new Words<>(
                Enum.class, value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-')));
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .changeDefaultVisibility(seen -> seen.withVisibility(PropertyAccessor.ALL, Visibility.NONE)
                        .withVisibility(PropertyAccessor.FIELD, Visibility.ANY))
                .changeDefaultPropertyInclusion(all -> all.withValueInclusion(Include.NON_ABSENT))
                .addModule(words)
                .build()
                .writeValueAsString(config);
    }

    private static <T> void add(SimpleModule words, Class<T> type, Function<T, String> word) {
        words.addSerializer(new Words<>(type, word));
    }

    private static String secret(SecretSource secret) {
        return switch (secret) {
            case SecretSource.InFile(Path path) -> "file " + path;
            case SecretSource.InEnvironment(String variable) -> "environment variable " + variable;
        };
    }

    private static String programs(ServerControl.Commands commands) {
        return String.join(
                ", ",
                List.of(commands.check(), commands.reload(), commands.restart(), commands.stop(), commands.reloadIdle())
                        .stream()
                        .filter(words -> !words.isEmpty())
                        .map(List::getFirst)
                        .distinct()
                        .toList());
    }

    /** One value as one word. */
    private static final class Words<T> extends StdSerializer<T> {
        private final Function<T, String> word;

        private Words(Class<T> type, Function<T, String> word) {
            super(type);
            this.word = word;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializationContext context) {
            out.writeString(word.apply(value));
        }
    }
}
