package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Server;

/** What users do with the programs they have, from beginning to end. Holds on every store. */
@Tag("semantics")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScenarioContract {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** A tree as users have them: nested, with an empty file, odd names, and one file of several parts. */
    private static final String TREE = """
            mkdir -p ~/tree/src/deep/er ~/tree/docs
            for i in {1..40}; do echo "file $i" > ~/tree/src/file-$i.txt; done
            : > ~/tree/empty
            echo odd > ~/tree/docs/'a b $x: ü 日本'
            echo deep > ~/tree/src/deep/er/leaf
            head -c 20000003 /dev/urandom > ~/tree/large
            """;

    private S3Server server;

    abstract S3Server startServer();

    @BeforeAll
    void start() {
        server = startServer();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Runs a script that must succeed at every step, and print exactly this. */
    private void run(String script, String output) {
        try (var sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.runAll(script + "cd / && umount /mnt\n", DEADLINE);
            assertThat(ran.output()).isEqualTo(output);
            assertThat(ran.exit()).as(ran.output()).isZero();
        }
    }

    @Test
    void anArchiveIsUnpackedByAUserAndComparedWithItsSource() {
        run(TREE + """
                tar -cf ~/tree.tar -C ~ tree
                mount-s3 my-bucket /mnt --uid 65534 --gid 65534 --allow-other >/dev/null && cd /mnt
                setpriv --reuid 65534 --regid 65534 --clear-groups tar -xm --no-same-permissions < ~/tree.tar
                diff -r ~/tree tree
                tar -cf packed.tar tree && tar -tf packed.tar | wc -l
                s3 ls | wc -l
                """, "49\n45\n");
    }

    @Test
    void aTreeIsCopiedSummedFoundMovedAndRemoved() {
        run(TREE + """
                mount-s3 my-bucket /mnt --allow-delete >/dev/null && cd /mnt
                cp -r ~/tree . && diff -r ~/tree tree
                (cd ~/tree && find . -type f -exec sha256sum {} + > ~/sums)
                (cd tree && sha256sum --quiet -c ~/sums)
                (cd ~/tree && find . | sort) > ~/before; (cd tree && find . | sort) | diff ~/before -
                find tree -type f -size +1M; find tree -name '*-1?.txt' | wc -l
                du -s --apparent-size -B1 tree | cut -f1 | diff - <(cat $(find ~/tree -type f ! -name 'a b*') ~/tree/docs/* | wc -c)
                mv tree/src/file-1.txt tree/moved && cat tree/moved && test ! -e tree/src/file-1.txt
                mv tree other 2>/dev/null && test ! -e tree && cmp ~/tree/large other/large
                find other -name 'file-*' -delete; ls other other/src
                rm -r other; ls; s3 ls; s3 uploads
                """, """
                tree/large
                10
                file 1
                other:
                docs
                empty
                large
                moved
                src

                other/src:
                deep
                """);
    }

    @Test
    void aCopiedCloneIsReadByGit() {
        run("""
                export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=user GIT_CONFIG_KEY_1=user.email \\
                    GIT_CONFIG_VALUE_1=user@example.com GIT_CONFIG_KEY_2=safe.directory GIT_CONFIG_VALUE_2='*'
                git init -q -b main ~/origin && cd ~/origin
                for i in {1..5}; do echo $i >> numbers; mkdir -p d$i; echo $i > d$i/f; git add .; git commit -qm "commit $i"; done
                git clone -q ~/origin ~/clone
                mount-s3 my-bucket /mnt --allow-delete --allow-overwrite >/dev/null && cd /mnt
                cp -r ~/clone .
                diff -r ~/clone clone
                git -C clone fsck --full --strict
                git -C clone status --short
                git -C clone log --format=%s | cat
                git -C clone grep -n 5 -- numbers | cat
                git clone -q clone ~/back && diff -r --exclude .git ~/origin ~/back
                git clone -q ~/origin in-place || echo "status $?"
                git -C clone commit -q --allow-empty -m more || echo "status $?"
                """, """
                commit 5
                commit 4
                commit 3
                commit 2
                commit 1
                numbers:5:5
                error: unable to write symref for HEAD: Invalid cross-device link
                status 1
                fatal: unable to write new_index file
                status 128
                """);
    }

    @Test
    void rsyncCopiesNewTreesInPlaceAndUpdatesThemByCopy() {
        run(TREE + """
                mount-s3 my-bucket /mnt --allow-delete --allow-overwrite >/dev/null && cd /mnt
                rsync -r --inplace --whole-file ~/tree/ tree/ && diff -r ~/tree tree
                echo more >> ~/tree/src/file-7.txt
                rsync -rc --inplace --whole-file ~/tree/ tree/ >~/refused 2>&1 || grep -o 'Operation not permitted' ~/refused
                rsync -rc --whole-file ~/tree/ tree/ && diff -r ~/tree tree
                rm ~/tree/src/file-8.txt && rsync -rc --delete ~/tree/ tree/ && diff -r ~/tree tree
                s3 ls | wc -l
                """, """
                Operation not permitted
                43
                """);
    }

    @Test
    void blocksOfAnySizeAreWrittenAndRead() {
        run("""
                head -c 33554469 /dev/urandom > ~/random && cd ~ && sha256sum random > sums
                mount-s3 my-bucket /mnt >/dev/null && cd /mnt
                for size in 999 4096 131072 1000003 20971520; do
                    [ $size -gt 4096 ] || head -c 2000001 ~/random > ~/part
                    [ $size -le 4096 ] || cp ~/random ~/part
                    dd if=$HOME/part of=by-$size bs=$size status=none && cmp ~/part by-$size
                    dd if=by-$size of=$HOME/back bs=$size status=none && cmp ~/part ~/back
                done
                dd if=$HOME/random of=random bs=1M conv=fsync oflag=direct iflag=fullblock status=none
                sha256sum -c ~/sums
                dd if=random bs=4096 skip=5000 count=1 status=none | cmp - <(dd if=$HOME/random bs=4096 skip=5000 count=1 status=none)
                tail -c 100 random | cmp - <(tail -c 100 ~/random)
                """, "random: OK\n");
    }

    @Test
    void filesOfAnySizeAreAppendedTo() {
        run("""
                head -c 30000003 /dev/urandom > ~/random
                mount-s3 my-bucket /mnt --allow-append >/dev/null && cd /mnt
                for size in 0 1 4999999 8388608 20000000; do
                    head -c $size ~/random > grown-$size
                    head -c 7 ~/random >> grown-$size
                    dd if=$HOME/random of=grown-$size bs=1M oflag=append conv=notrunc status=none
                    cat <(head -c $size ~/random) <(head -c 7 ~/random) ~/random | cmp - grown-$size
                done
                for i in {1..20}; do echo "line $i" >> log; done
                seq -f 'line %g' 20 | cmp - log
                s3 uploads
                """, "");
    }

    @Test
    void manySmallFilesAreWrittenAtOnce() {
        run("""
                mount-s3 my-bucket /mnt --allow-delete >/dev/null && cd /mnt
                seq 200 | xargs -P 8 -I{} bash -c 'mkdir -p d$(({} % 7)) && echo "number {}" > d$(({} % 7))/f{}'
                find . -type f | wc -l
                cat d*/f* | sort -u | wc -l
                grep -rlx 'number 150' .
                s3 ls | wc -l
                find . -type f | xargs -P 8 -n 20 rm
                s3 ls | wc -l
                """, """
                200
                200
                ./d3/f150
                200
                0
                """);
    }

    @Test
    void aParquetFileIsWrittenByArrowAndReadByPandas() {
        run("""
                mount-s3 my-bucket /mnt --allow-overwrite >/dev/null && cd /mnt
                %s - <<'END'
                import pandas, pyarrow, pyarrow.parquet

                rows = 300_000
                table = pyarrow.table({'id': range(rows), 'name': [f'name {i %% 1000}' for i in range(rows)],
                                       'value': [i * 0.5 for i in range(rows)]})
                pyarrow.parquet.write_table(table, 'by-arrow.parquet', row_group_size=20_000)
                frame = pandas.read_parquet('by-arrow.parquet')
                print(len(frame), frame['value'].sum(), frame['name'].nunique())
                some = pandas.read_parquet('by-arrow.parquet', columns=['id'], filters=[('id', '>=', rows - 5)])
                print(list(some['id']))
                print(pyarrow.parquet.ParquetFile('by-arrow.parquet', memory_map=True).read_row_group(7)['id'][0])
                frame.to_parquet('by-pandas.parquet')
                frame.head(3).to_parquet('by-pandas.parquet')
                print(pandas.read_parquet('by-pandas.parquet').equals(frame.head(3)))
                frame.to_csv('frame.csv', index=False)
                print(len(pandas.read_csv('frame.csv')))
                END
                """.formatted(Tools.built("python-with-pandas")), """
                300000 22499925000.0 1000
                [299995, 299996, 299997, 299998, 299999]
                140000
                True
                300000
                """);
    }

    /** pip gives files the times and modes they had, which a volume of the driver lets pass. */
    @Test
    void aPackageIsInstalledByPipAndImported() {
        run("""
                mount-s3 my-bucket /mnt --allow-delete --allow-overwrite --attribute-changes ignore >/dev/null && cd /mnt
                %1$s - <<'END'
                import os, zipfile

                with zipfile.ZipFile(os.environ['HOME'] + '/tiny-1.0-py3-none-any.whl', 'w') as wheel:
                    wheel.writestr('tiny/__init__.py', 'answer = 42')
                    wheel.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')
                    wheel.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
                    wheel.writestr('tiny-1.0.dist-info/RECORD', 'tiny/__init__.py,,\\n')
                END
                %1$s -m pip --quiet --disable-pip-version-check install --no-index --no-cache-dir --root-user-action ignore \\
                    --target packages ~/tiny-1.0-py3-none-any.whl
                PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=packages %1$s -c 'import tiny; print(tiny.answer)'
                s3 ls | grep -c 'packages/tiny-1.0.dist-info/'
                """.formatted(Tools.built("python-with-pandas")), "42\n6\n");
    }

    @Test
    void aUserNamespaceOfItsOwnReadsAndWrites() {
        run("""
                mount-s3 my-bucket /mnt --allow-other >/dev/null && cd /mnt
                echo before > outside
                unshare --user --map-root-user sh -c 'cat outside; stat -c %u:%g outside; echo from there > inside'
                cat inside
                """, """
                before
                0:0
                from there
                """);
    }
}
