package dev.retier.volume.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import dev.retier.config.HostPort;
import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolConfigTest {
    private static final String LEAST = "directory: /srv/pool\nlisten: 10.0.0.1:7100\nsecret-file: /etc/secret\n";

    @Test
    void shouldHaveDefaults() {
        PoolConfig config = PoolConfig.parse(LEAST, "pool.yaml");
        assertThat(config.directory()).isEqualTo(Path.of("/srv/pool"));
        assertThat(config.listen()).isEqualTo(new HostPort("10.0.0.1", 7100));
        assertThat(config.transport()).isEqualTo(Transport.IWARP);
        assertThat(config.journal()).isEqualTo(new PoolConfig.Journal(64 << 20, 1L << 30));
        assertThat(config.cache()).isEqualTo(new PoolConfig.Cache(256 << 20, CachePolicy.MQ));
        assertThat(config.limits()).isEqualTo(new Limits(64, (64 << 10) + 64, 64, 4));
        assertThat(config.limits().bytes()).isEqualTo((64L * (2 * 64 + 1) + 4) * ((64 << 10) + 64));
        assertThat(config.times())
                .isEqualTo(new Times(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(2)));
        assertThat(config.care()).isEqualTo(new Care(false, 16 << 20, Duration.ofDays(7), Map.of()));
        assertThat(config.admin()).isEmpty();
    }

    @Test
    void shouldTakeWhatIsWritten() {
        PoolConfig config = PoolConfig.parse(
                LEAST + "transport: native\njournal-bytes: 32m\nclients: 2\ncredits: 8\nstaging-slot: 16k\n"
                        + "cache-bytes: 1g\ncache-policy: lru\ndisk-threads: 1\nlease: 1s\nquiesce: 1s\nstall: 3s\n"
                        + "journal-sync: always\nscrub-rate: 0\nscrub-every: 1h\nadmin: localhost:0\n"
                        + "priorities:\n- {volume: accounts, priority: 1}\n- {volume: archive, priority: 4}\n",
                "pool.yaml");
        assertThat(config.transport()).isEqualTo(Transport.NATIVE);
        assertThat(config.journal()).isEqualTo(new PoolConfig.Journal(8 << 20, 32 << 20));
        assertThat(config.cache()).isEqualTo(new PoolConfig.Cache(1 << 30, CachePolicy.LRU));
        assertThat(config.limits()).isEqualTo(new Limits(8, (16 << 10) + 64, 2, 1));
        assertThat(config.admin()).contains(new HostPort("localhost", 0));
        assertThat(config.care())
                .isEqualTo(new Care(
                        true,
                        0,
                        Duration.ofHours(1),
                        Map.of(new VolumeName("accounts"), 1, new VolumeName("archive"), 4)));
        assertThat(config.times())
                .isEqualTo(new Times(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3)));
    }

    @Test
    void shouldTellEveryProblem() {
        assertThatThrownBy(() -> PoolConfig.parse("listen: here\njournal-bytes: 1k\ncache: 1g\n", "pool.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("directory: missing; add it")
                .hasMessageContaining("pool.yaml:1: listen: \"here\" is not accepted")
                .hasMessageContaining("secret-file: missing")
                .hasMessageContaining("pool.yaml:2: journal-bytes: \"1k\" is not accepted")
                .hasMessageContaining("in 16m..1t")
                .hasMessageContaining("pool.yaml:3: cache: unknown key");
        assertThatThrownBy(() -> PoolConfig.parse(LEAST + "lease: 999ms\n", "pool.yaml"))
                .as("clients could not renew it in time")
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pool.yaml:4: lease: \"999ms\" is not accepted")
                .hasMessageContaining("in 1s..600s");
        assertThatThrownBy(() -> PoolConfig.parse(LEAST + "staging-slot: 65k\n", "pool.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("staging-slot: \"65k\" is not accepted")
                .hasMessageContaining("in 4k..64k");
        assertThatThrownBy(() -> PoolConfig.parse(
                        LEAST + "priorities:\n- {volume: a, priority: 0}\n- {volume: A, priority: 1}\n"
                                + "- {volume: b, priority: 1}\n- {volume: b, priority: 2}\n",
                        "pool.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("in 1..63")
                .hasMessageContaining("\"A\" is no name of a volume")
                .hasMessageContaining("two items are about b");
    }

    @Test
    void shouldCountTheMemoryOfAsManyClientsAsThereMayBe() {
        PoolConfig config = PoolConfig.parse(LEAST + "clients: 1024\ncredits: 256\ndisk-threads: 8\n", "pool.yaml");
        assertThat(config.limits().bytes()).isEqualTo((1024L * (2 * 256 + 1) + 8) * ((64 << 10) + 64));
    }
}
