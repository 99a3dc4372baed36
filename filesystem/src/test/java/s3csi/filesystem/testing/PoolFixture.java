package s3csi.filesystem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import s3csi.filesystem.memory.BufferPool;
import s3csi.linux.LinuxException;

/** A pool of the smallest size, all of which must be back at the end of each test. */
public abstract class PoolFixture {
    protected BufferPool pool;

    @BeforeEach
    final void map() throws LinuxException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
    }

    @AfterEach
    final void everythingIsBack() {
        assertThat(pool.used()).as("bytes used at the end").isZero();
        pool.close();
    }
}
