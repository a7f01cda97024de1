package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoisonTest {
    private final VolumeException disk = new VolumeException(Status.IO_ERROR, "the disk failed");
    private final VolumeException block = new VolumeException(Status.IO_ERROR, "block 3 is broken", true);
    private final Poison poison = new Poison(new VolumeName("accounts"));

    /** Ends a forced write whose parts end so. */
    private void end(IOException... parts) {
        Pending write = new Pending(
                new Waiting(new Collector(Completion.NEVER), Completion.DEFAULT), poison.of(Set.of(Option.FORCED)));
        for (IOException part : parts) {
            write.part();
            write.failed(part);
        }
        write.begun();
    }

    /** It was refused, and nothing that was answered before is lost. */
    @Test
    void shouldNotBeLeft_byAForcedWriteThatDidNotComeToTheDisk() {
        end(new VolumeException(Status.BAD_DATA, "the data is not what its checksum says"));
        end(new VolumeException(Status.INVALID, "it cannot be"), new NoSpaceException("the disk is full"));
        end(block);
        end(new IOException("the server has not been reached"));
        assertThatCode(() -> poison.refuse(false)).doesNotThrowAnyException();
    }

    @Test
    void shouldBeLeft_whenTheDiskFailed() {
        end(disk);
        assertThatThrownBy(() -> poison.refuse(false)).hasMessageContaining("(the disk failed)");
    }

    /** Whatever befell the part that ended before. */
    @Test
    void shouldBeLeft_whenTheDiskFailedForOneOfManyParts() {
        end(new NoSpaceException("the disk is full"), disk, block);
        assertThatThrownBy(() -> poison.refuse(false)).hasMessageContaining("(the disk failed)");
    }
}
