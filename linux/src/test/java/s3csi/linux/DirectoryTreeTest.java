package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {
    @TempDir
    Path parent;

    private Path tree = Path.of("/");
    private Path outside = Path.of("/");

    @BeforeEach
    void makeDirectories() throws IOException {
        tree = Files.createDirectory(parent.resolve("tree"));
        outside = Files.createDirectory(parent.resolve("outside"));
        Files.writeString(outside.resolve("file"), "not yours");
    }

    @Test
    void allBelowGoesAndNothingBeside() throws Exception {
        Files.createDirectories(tree.resolve("a/b/c"));
        Files.writeString(tree.resolve("a/b/file"), "x");
        Files.writeString(tree.resolve("a/.hidden"), "x");
        Files.createDirectory(tree.resolve("empty"));

        DirectoryTree.remove(tree);

        assertThat(tree).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("not yours");
    }

    @Test
    void linksAreRemovedAndNotFollowed() throws Exception {
        Files.createSymbolicLink(tree.resolve("directory"), outside);
        Files.createSymbolicLink(tree.resolve("file"), outside.resolve("file"));
        Files.createSymbolicLink(tree.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(tree.resolve("up"), Path.of(".."));

        DirectoryTree.remove(tree);

        assertThat(tree).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("not yours");
    }

    @Test
    void aLinkInPlaceOfTheTreeIsRemovedItself() throws Exception {
        Path link = Files.createSymbolicLink(parent.resolve("link"), outside);

        DirectoryTree.remove(link);

        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(outside.resolve("file")).exists();
    }

    @Test
    void whatIsNotThereNeedsNoRemoval() throws Exception {
        DirectoryTree.remove(parent.resolve("absent"));
        assertThat(parent.resolve("absent")).doesNotExist();
    }

    @Test
    void moreEntriesThanFitIntoOneAnswerOfTheKernel() throws Exception {
        for (int i = 0; i < 2000; i++) {
            Files.createFile(tree.resolve("a-name-that-is-not-short-" + i));
        }
        DirectoryTree.remove(tree);
        assertThat(tree).doesNotExist();
    }

    @Test
    void aTreeMayBeDeep() throws Exception {
        Path deep = tree;
        for (int i = 0; i < 500; i++) {
            deep = deep.resolve("d");
        }
        Files.createDirectories(deep);
        Files.writeString(deep.resolve("file"), "x");

        DirectoryTree.remove(tree);

        assertThat(tree).doesNotExist();
    }

    @Test
    void aNameNeedNotBeText() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "d=$(printf 'a\\377b') && mkdir \"$d\" && touch \"$d/$d\"")
                .directory(tree.toFile())
                .start();
        assertThat(shell.waitFor()).isZero();

        DirectoryTree.remove(tree);

        assertThat(tree).doesNotExist();
    }

    @Test
    @Tag("engine")
    void aMountInTheTreeIsAnErrorAndItsFilesStay() throws Exception {
        Path point = Files.createDirectories(tree.resolve("a/mounted"));
        Mounts.bind(outside, point);
        try {
            assertThatThrownBy(() -> DirectoryTree.remove(tree))
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EXDEV))
                    .hasMessageContaining("something is mounted");
            assertThat(outside.resolve("file")).hasContent("not yours");
        } finally {
            Mounts.unmount(point, Mounts.Unmount.DETACH);
        }
        DirectoryTree.remove(tree);
        assertThat(tree).doesNotExist();
    }

    @Test
    @Tag("engine")
    void aTreeThatIsAMountIsAnError() throws Exception {
        Mounts.bind(outside, tree);
        try {
            assertThatThrownBy(() -> DirectoryTree.remove(tree))
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EXDEV));
            assertThat(outside.resolve("file")).hasContent("not yours");
        } finally {
            Mounts.unmount(tree, Mounts.Unmount.DETACH);
        }
    }
}
