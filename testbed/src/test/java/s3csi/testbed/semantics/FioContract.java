package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;

/**
 * fio writes blocks that carry their own checksum, and checks every block it reads back: in order and at random, by several jobs at
 * once, through the page cache and past it.
 */
@Tag("semantics")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FioContract {
    static final Duration DEADLINE = Duration.ofMinutes(5);

    /** Prints only the errors of the jobs; a block of 4 KiB is what is checked. */
    static final String FIO = """
            run_fio() {
                cd ~ && fio --directory=/mnt --verify=crc32c --verify_interval=4k --verify_state_save=0 --verify_fatal=1 \\
                    --fallocate=none --thread --group_reporting "$@" > ~/fio.log 2>&1 || { cat ~/fio.log; return 1; }
                grep -o 'err= *[0-9]*' ~/fio.log
            }
            write_files() {
                run_fio --name=large --numjobs=4 --filesize=40M --rw=write --bs=1M --do_verify=0 --create_on_open=1 --fsync_on_close=1
                run_fio --name=small --nrfiles=40 --filesize=64k --openfiles=1 --file_service_type=sequential --rw=write --bs=4k \\
                    --do_verify=0 --create_on_open=1
            }
            read_files() {
                run_fio --name=large --numjobs=4 --filesize=40M --rw=read --bs=256k "$@"
                run_fio --name=large --numjobs=4 --filesize=40M --rw=randread --bs=4k,4k --number_ios=300 "$@"
                run_fio --name=one --filename=large.0.0 --numjobs=6 --filesize=40M --rw=randread --bs=64k --number_ios=50 "$@"
                run_fio --name=small --nrfiles=40 --filesize=64k --rw=randread --bs=4k "$@"
            }
            """;

    private S3Server server;

    abstract S3Server startServer();

    /** What the shell has to do before the server can be used. */
    String preparation() {
        return "";
    }

    /** For a server with a private certificate. */
    static String trusting(PrivateCa authority) {
        return "cat > ~/ca.pem <<'END'\n" + authority.certificatePem().strip()
                + "\nEND\nexport AWS_CA_BUNDLE=~/ca.pem\n";
    }

    S3Server server() {
        return server;
    }

    @BeforeAll
    void start() {
        server = startServer();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void everyBlockIsReadAsItWasWritten() {
        try (var sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.runAll(preparation() + FIO + """
                    mount-s3 my-bucket /mnt >/dev/null
                    write_files
                    read_files
                    umount /mnt && mount-s3 my-bucket /mnt --memory-target 128 >/dev/null
                    read_files --direct=1
                    cd / && umount /mnt
                    """, DEADLINE);
            assertThat(ran.output()).isEqualTo("err= 0\n".repeat(10));
            assertThat(ran.exit()).isZero();
        }
    }

    /** The kernel sends the pieces of one such write at the same time. */
    @Test
    void largeAsynchronousWritesAreStoredWhole() {
        try (var sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.runAll(preparation() + FIO + """
                    mount-s3 my-bucket /mnt >/dev/null
                    for engine in libaio io_uring; do
                        for depth in 1 8; do
                            name=$engine-$depth
                            run_fio --name=$name --ioengine=$engine --iodepth=$depth --direct=1 --bs=4M --rw=write --filesize=40M \\
                                --do_verify=0 --create_on_open=1
                            run_fio --name=$name --rw=read --bs=4M --filesize=40M
                        done
                    done
                    run_fio --name=paged --ioengine=libaio --iodepth=4 --bs=4M --rw=write --filesize=40M --do_verify=0 --create_on_open=1
                    run_fio --name=paged --rw=read --bs=4M --filesize=40M
                    cd / && umount /mnt
                    """, DEADLINE);
            assertThat(ran.output()).isEqualTo("err= 0\n".repeat(10));
            assertThat(ran.exit()).isZero();
        }
    }
}
