package s3csi.testbed.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rules for a module that does not exist yet hold for nothing; they count from its first class on. */
final class ArrowsTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("s3csi");

    private static final Pattern MODULE_OF_THE_BUILD = Pattern.compile("<module>([^<]+)</module>");

    @TestFactory
    Stream<DynamicTest> arrowsGoOneWay() {
        return Arrays.stream(Module.values())
                .filter(module -> module.mustNotSee().length > 0)
                .map(module -> dynamicTest(
                        module.directory(),
                        () -> noClasses()
                                .that()
                                .resideInAnyPackage(Module.packagesOf(module))
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(Module.packagesOf(module.mustNotSee()))
                                .allowEmptyShould(true)
                                .check(PRODUCT)));
    }

    @Test
    void everyClassBelongsToAModule() {
        classes()
                .should()
                .resideInAnyPackage(Module.packagesOf(Module.values()))
                .check(PRODUCT);
    }

    /** Who reads a name need not ask which of two is meant. Only where a program begins is called the same in each. */
    @Test
    void oneWordNamesOneClass() {
        Map<String, List<String>> classes = PRODUCT.stream()
                .filter(type -> type.isTopLevelClass()
                        && !Set.of("package-info", "Main").contains(type.getSimpleName()))
                .filter(type ->
                        !resideInAnyPackage(Module.packagesOf(Module.CSI_PROTO)).test(type))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        assertThat(classes.values()).allSatisfy(named -> assertThat(named).hasSize(1));
    }

    /** A module that these rules do not get to see would be free to do anything. */
    @TestFactory
    Stream<DynamicTest> everyModuleOfTheBuildIsLookedAt() throws IOException {
        return MODULE_OF_THE_BUILD
                .matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(found -> found.group(1))
                .map(directory -> dynamicTest(directory, () -> {
                    List<Module> known = Arrays.stream(Module.values())
                            .filter(module -> module.directory().equals(directory))
                            .toList();
                    assertThat(known).as("the entry in Module for " + directory).hasSize(1);
                    assertThat(PRODUCT.that(resideInAnyPackage(Module.packagesOf(known.getFirst()))))
                            .as("classes of %s on the class path: testbed/pom.xml must depend on it", directory)
                            .isNotEmpty();
                }));
    }

    @Test
    void onlyTheLayersThatHandleBuffersUseForeignMemory() {
        noClasses()
                .that()
                .resideOutsideOfPackages(Module.packagesOf(Module.LINUX, Module.FUSE, Module.S3, Module.FILESYSTEM))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(PRODUCT);
    }

    @Test
    void onlyLinuxCallsForeignFunctions() {
        noClasses()
                .that()
                .resideOutsideOfPackages(Module.packagesOf(Module.LINUX))
                .should()
                .dependOnClassesThat(
                        named("a foreign function", "java.lang.foreign.Linker", "java.lang.foreign.SymbolLookup"))
                .check(PRODUCT);
    }

    @Test
    void theVocabularyDoesNoInputOrOutput() {
        noClasses()
                .that()
                .resideInAnyPackage(Module.packagesOf(Module.VOLUME))
                .should()
                .dependOnClassesThat(INPUT_OR_OUTPUT)
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    /** Not the reconciler, though the stubs are on its class path; and of the provisioner only the room that calls the driver. */
    @Test
    void onlyTheDriverAndItsCallerSpeakGrpc() {
        noClasses()
                .that(not(resideInAnyPackage(Module.packagesOf(Module.DRIVER, Module.CSI_PROTO, Module.TESTBED))
                        .or(resideInAnyPackage("s3csi.provisioner.csi.."))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "s3csi.csi..", "s3csi.registration..")
                .check(PRODUCT);
    }

    /** Mountpoint Pods and provisioning have nothing to do with each other; only the program has both. */
    @Test
    void onlyTheProgramSeesTheProvisioner() {
        noClasses()
                .that()
                .resideInAnyPackage("s3csi.reconciler.*..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(Module.packagesOf(Module.PROVISIONER))
                .check(PRODUCT);
    }

    @Test
    void onlyTheDriverAndTheControllerSpeakToKubernetes() {
        noClasses()
                .that()
                .resideOutsideOfPackages(Module.packagesOf(
                        Module.KUBERNETES,
                        Module.CONTROL,
                        Module.PROVISIONER,
                        Module.DRIVER,
                        Module.RECONCILER,
                        Module.TESTBED))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fabric8..")
                .check(PRODUCT);
    }

    /** What it decides must not depend on when or where it is asked. */
    @Test
    void whatTheControllerWantsIsDecidedWithoutAskingTheCluster() {
        noClasses()
                .that()
                .resideInAnyPackage("s3csi.reconciler.model..", "s3csi.provisioner.model..")
                .should()
                .dependOnClassesThat(INPUT_OR_OUTPUT.and(not(resideInAnyPackage("io.fabric8.kubernetes.api.model.."))))
                .check(PRODUCT);
    }

    /** Names and failures of input and output are words too: only what does it is forbidden. */
    private static final DescribedPredicate<JavaClass> INPUT_OR_OUTPUT = DescribedPredicate.describe(
            "do input or output or belong to a client library",
            type -> resideInAnyPackage(
                                    "java.io..",
                                    "java.net..",
                                    "java.nio.file..",
                                    "java.nio.channels..",
                                    "io.grpc..",
                                    "io.fabric8..",
                                    "software.amazon..")
                            .or(named("a process", "java.lang.ProcessBuilder", "java.lang.Runtime"))
                            .test(type)
                    && !Set.of(
                                    "java.io.IOException",
                                    "java.io.UncheckedIOException",
                                    "java.io.Serializable",
                                    "java.net.URI",
                                    "java.net.URISyntaxException")
                            .contains(type.getName()));

    private static DescribedPredicate<JavaClass> named(String what, String... names) {
        Set<String> chosen = Set.of(names);
        return DescribedPredicate.describe(
                what,
                type -> chosen.stream()
                        .anyMatch(name ->
                                type.getName().equals(name) || type.getName().startsWith(name + "$")));
    }
}
