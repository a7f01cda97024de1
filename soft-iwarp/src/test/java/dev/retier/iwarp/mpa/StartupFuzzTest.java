package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Start-up frames that were mutated, cut off or made longer: a result always, an exception never. */
class StartupFuzzTest {
    private static final StartupPolicy POLICY = StartupPolicy.standard(16, 16).towards(true);

    private static byte[] mutated(byte[] frame, SplittableRandom random) {
        byte[] bytes = Arrays.copyOf(frame, random.nextInt(1, frame.length + 20));
        for (int i = random.nextInt(4); i > 0; i--) {
            int from = random.nextBoolean() ? 0 : Math.min(16, bytes.length - 1);
            bytes[random.nextInt(from, bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    @Seeded(tries = 500)
    void shouldStayWithinAgreement_whenRequestIsMutated(SplittableRandom random) {
        byte[] data = new byte[random.nextInt(MpaFrame.MAX_ENHANCED_PRIVATE_DATA + 1)];
        random.nextBytes(data);
        MpaResponder responder = new MpaResponder(POLICY);
        byte[] bytes = mutated(new MpaInitiator(POLICY).request(data), random);
        if (responder.receive(ByteBuffer.wrap(bytes)) instanceof StartupResult.Requested(MpaFrame request)) {
            MpaResponder.Acceptance answer = responder.accept(request, data.length > 100 ? new byte[0] : data);
            assertThat(answer.agreement().ird()).isEqualTo(POLICY.ird());
            assertThat(answer.agreement().ord()).isBetween(0, POLICY.ord());
            assertThat(MpaFrame.parse(ByteBuffer.wrap(answer.bytes())).reply()).isTrue();
            assertThat(MpaFrame.parse(ByteBuffer.wrap(responder.reject(request, new byte[0])))
                            .rejected())
                    .isTrue();
        }
    }

    @Seeded(tries = 500)
    void shouldStayWithinAgreement_whenReplyIsMutated(SplittableRandom random) {
        MpaInitiator initiator = new MpaInitiator(POLICY);
        MpaFrame request = MpaFrame.parse(ByteBuffer.wrap(initiator.request(new byte[0])));
        byte[] reply = new MpaResponder(POLICY)
                .accept(request, new byte[random.nextInt(400)])
                .bytes();
        StartupResult result = initiator.receive(ByteBuffer.wrap(mutated(reply, random)));
        if (result instanceof StartupResult.Accepted(MpaFrame frame, Agreement agreement)) {
            assertThat(frame.reply()).isTrue();
            assertThat(agreement.ird()).isEqualTo(POLICY.ird());
            assertThat(agreement.ord()).isBetween(0, POLICY.ord());
            assertThat(agreement.crc()).as("we asked for it").isTrue();
        }
    }

    @Seeded(tries = 200)
    void shouldParseEveryBlock_whenBitsAreRandom(SplittableRandom random) {
        EnhancedBlock block = EnhancedBlock.parse(random.nextInt());
        assertThat(block.ird()).isBetween(0, EnhancedBlock.NOT_NEGOTIATED);
        assertThat(block.ord()).isBetween(0, EnhancedBlock.NOT_NEGOTIATED);
        assertThat(EnhancedBlock.parse(block.word())).isEqualTo(block);
    }
}
