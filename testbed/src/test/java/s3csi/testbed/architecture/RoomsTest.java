package s3csi.testbed.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import s3csi.filesystem.OpenBucket;
import s3csi.filesystem.inode.TimeToLive;

/** Within a module too, what is below does not know what is above it. */
final class RoomsTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("s3csi");

    /** From the bottom up. Each way to run engines is a room of its own at the top, and they do not know each other. */
    private static final List<String> NODE = List.of(
            "s3csi.driver.node.kernel",
            "s3csi.driver.node.target",
            "s3csi.driver.node",
            "s3csi.driver.node.source",
            "s3csi.driver.node.[process|pod]");

    /** Calls are taken and keys are read without a thought of what is done with them; only the program itself sees all. */
    private static final List<String> DRIVER = List.of(
            "s3csi.driver.grpc",
            "s3csi.driver.credentials",
            "s3csi.driver.cluster",
            "s3csi.driver.bucket",
            "s3csi.driver.identity",
            "s3csi.driver.controller",
            "s3csi.driver.node..",
            "s3csi.driver.registration",
            "s3csi.driver");

    private static final List<String> RECONCILER =
            List.of("s3csi.reconciler.model", "s3csi.reconciler.loop", "s3csi.reconciler.release", "s3csi.reconciler");

    /** What is decided depends neither on the driver nor on the loop. */
    private static final List<String> PROVISIONER =
            List.of("s3csi.provisioner.model", "s3csi.provisioner.csi", "s3csi.provisioner.loop", "s3csi.provisioner");

    /** Reading knows nothing of names and writing nothing of reading; what puts them together is above all. */
    private static final List<String> FILE_SYSTEM = List.of(
            "s3csi.filesystem.failure",
            "s3csi.filesystem.memory",
            "s3csi.filesystem.cache",
            "s3csi.filesystem.read",
            "s3csi.filesystem.inode",
            "s3csi.filesystem.directory",
            "s3csi.filesystem.write",
            "s3csi.filesystem");

    /** What a file system implements needs neither bytes nor a device. */
    private static final List<String> FUSE = List.of("s3csi.fuse", "s3csi.fuse.wire", "s3csi.fuse.session");

    /** The port is below all. Keys may come from a service that is asked with signed requests. */
    private static final List<String> STORE = List.of(
            "s3csi.s3",
            "s3csi.s3.checksum",
            "s3csi.s3.xml",
            "s3csi.s3.http",
            "s3csi.s3.[credentials|signing]",
            "s3csi.s3.client");

    private static final List<String> VOLUME = List.of("s3csi.volume.json", "s3csi.volume", "s3csi.volume.mount");

    /** Options are read without a mount, and a mount is served whoever asked for it. */
    private static final List<String> MOUNTER = List.of(
            "s3csi.mounter.config",
            "s3csi.mounter.log",
            "s3csi.mounter.metrics..",
            "s3csi.mounter.command",
            "s3csi.mounter.mount",
            "s3csi.mounter",
            "s3csi.mounter.node");

    @TestFactory
    Stream<DynamicTest> aRoomSeesOnlyThoseBelowIt() {
        return Stream.of(DRIVER, NODE, RECONCILER, PROVISIONER, MOUNTER, FILE_SYSTEM, FUSE, STORE, VOLUME)
                .flatMap(RoomsTest::inOrder);
    }

    /** It implements the interface, uses the port, and could be served and stored by others. */
    @Test
    void theFileSystemKnowsNeitherSessionsNorRequestsToAStore() {
        noClasses()
                .that()
                .resideInAPackage("s3csi.filesystem..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("s3csi.fuse.session..", "s3csi.fuse.wire..", "s3csi.s3.*..")
                .check(PRODUCT);
    }

    /** Pool, readers and caches are its own business; settings are records. */
    @Test
    void whoeverUsesTheFileSystemComesThroughItsFrontDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackage("s3csi.filesystem..")
                .should()
                .dependOnClassesThat(resideInAPackage("s3csi.filesystem..")
                        .and(not(JavaClass.Predicates.assignableTo(Record.class)))
                        .and(not(belongToAnyOf(OpenBucket.class, TimeToLive.class))))
                .check(PRODUCT);
    }

    private static Stream<DynamicTest> inOrder(List<String> rooms) {
        return IntStream.range(0, rooms.size() - 1)
                .mapToObj(number -> dynamicTest(
                        rooms.get(number),
                        () -> noClasses()
                                .that()
                                .resideInAPackage(rooms.get(number))
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(
                                        rooms.stream().skip(number + 1).toArray(String[]::new))
                                .check(PRODUCT)));
    }
}
