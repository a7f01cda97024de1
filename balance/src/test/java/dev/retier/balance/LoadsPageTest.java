package dev.retier.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.retier.balance.LoadsPage.Reading;
import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LoadsPageTest {
    private static final Loads ONE =
            new Loads(7, 200_000_000, 1_000_000_000, List.of(new AppLoad("app-1", 3, 0.5, 100, 1000)));

    /** Header and first place of {@link #ONE}. */
    private static final String ONE_BYTES = "52544c44 0100 0100 0700000000000000"
            + "00c2eb0b00000000 00ca9a3b00000000"
            + "0f12d16c 000000000000000000000000" + "00".repeat(16)
            + "6170702d31" + "00".repeat(59)
            + "03000000 00000000 000000000000e03f"
            + "0000000000005940 0000000000408f40";

    private static byte[] bytes(Loads loads) {
        return LoadsPage.emit(loads).array();
    }

    private static Reading parse(byte[] bytes) {
        return LoadsPage.parse(ByteBuffer.wrap(bytes));
    }

    @Test
    void shouldWriteTheseBytes() {
        byte[] bytes = bytes(ONE);
        assertThat(bytes).hasSize(24_640);
        assertThat(HexFormat.of().formatHex(bytes, 0, 160)).isEqualTo(ONE_BYTES.replace(" ", ""));
        assertThat(bytes).endsWith(new byte[24_640 - 160]);
    }

    @Test
    void shouldReadWhatWasWritten() {
        assertThat(parse(bytes(ONE))).isEqualTo(new Reading.Whole(ONE));
        assertThat(LoadsPage.number(ByteBuffer.wrap(bytes(ONE), 0, LoadsPage.HEADER_BYTES)))
                .isEqualTo(7);
    }

    @Seeded(tries = 50)
    void shouldReadWhatWasWritten_whateverItIs(SplittableRandom random) {
        List<AppLoad> apps = new ArrayList<>();
        int count = random.nextInt(Loads.MAX_APPS + 1);
        for (int app = 0; app < count; app++) {
            String name = "n".repeat(1 + random.nextInt(AppLoad.MAX_NAME - 3)) + app;
            apps.add(new AppLoad(
                    name,
                    random.nextInt(Integer.MAX_VALUE),
                    random.nextDouble(),
                    random.nextDouble(1e9),
                    random.nextDouble(1e9)));
        }
        Loads loads = new Loads(random.nextLong(), 1 + random.nextInt(1_000_000), 1 + random.nextInt(1_000_000), apps);
        assertThat(parse(bytes(loads))).isEqualTo(new Reading.Whole(loads));
    }

    @Seeded(tries = 200)
    void shouldSeeAMixture_whenOnlyAPartIsOfTheNextLook(SplittableRandom random) {
        byte[] before = bytes(ONE);
        byte[] after =
                bytes(new Loads(8, 200_000_000, 1_000_000_000, List.of(new AppLoad("app-1", 9, 0.75, 140, 1000))));
        byte[] mixed = before.clone();
        int from = random.nextInt(160);
        int to = from + 1 + random.nextInt(160 - from);
        System.arraycopy(after, from, mixed, from, to - from);
        Reading reading = parse(mixed);
        if (!java.util.Arrays.equals(mixed, before) && !java.util.Arrays.equals(mixed, after)) {
            assertThat(reading).isEqualTo(new Reading.Torn());
        }
    }

    @Test
    void shouldSeeDamage_whenAnyBitOfWhatCountsIsAnother() {
        byte[] bytes = bytes(ONE);
        for (int bit = 0; bit < 8 * 160; bit++) {
            int index = bit / 8;
            if (index < 36 || index >= 64) {
                bytes[index] ^= (byte) (1 << bit % 8);
                assertThat(parse(bytes)).as("bit %d", bit).isNotInstanceOf(Reading.Whole.class);
                bytes[index] ^= (byte) (1 << bit % 8);
            }
        }
    }

    @Test
    void shouldRefuse_whenItIsShortOrOfAnotherKindOrVersion() {
        byte[] bytes = bytes(ONE);
        assertThat(LoadsPage.parse(ByteBuffer.wrap(bytes).limit(24_639)))
                .isEqualTo(new Reading.Refused("it has 24639 bytes, not 24640"));
        bytes[4] = 2;
        assertThat(parse(bytes)).isEqualTo(new Reading.Refused("it is of version 2, not 1"));
        bytes[0] = 0;
        assertThat(parse(bytes)).isEqualTo(new Reading.Refused("it is no file of loads"));
    }

    @Test
    void shouldTakeNoFigure_whenItIsOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("", 0, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("n".repeat(64), 0, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("\u00e4", 0, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("a", -1, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("a", 0, 1.1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("a", 0, 0, Double.NaN, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AppLoad("a", 0, 0, 0, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Loads(1, 0, 1, List.of()));
    }
}
