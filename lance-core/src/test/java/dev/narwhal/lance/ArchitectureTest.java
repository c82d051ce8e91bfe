package dev.narwhal.lance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.google.protobuf.Message;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The module's packages are concepts, and imports run one way. */
@AnalyzeClasses(
    packages = "dev.narwhal.lance",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule importsPointDown =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("face")
          .definedBy("dev.narwhal.lance")
          .layer("write")
          .definedBy("..lance.write..", "..lance.refs..", "..lance.cleanup..")
          .layer("transaction")
          .definedBy("..lance.transaction..")
          .layer("scan")
          .definedBy("..lance.scan..")
          .layer("predicate")
          .definedBy("..lance.predicate..")
          .layer("manifest")
          .definedBy("..lance.manifest..")
          .layer("fragment")
          .definedBy("..lance.fragment..")
          .layer("values")
          .definedBy(
              "..lance.deletion..", "..lance.rowid..", "..lance.datafile..", "..lance.schema..")
          .layer("ground")
          .definedBy("..lance.storage..", "..lance.error..", "..lance.proto..")
          .whereLayer("face")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("write")
          .mayOnlyBeAccessedByLayers("face")
          .whereLayer("transaction")
          .mayOnlyBeAccessedByLayers("face", "write")
          .whereLayer("scan")
          .mayOnlyBeAccessedByLayers("face", "write")
          .whereLayer("predicate")
          .mayOnlyBeAccessedByLayers("face", "write", "scan")
          .whereLayer("manifest")
          .mayOnlyBeAccessedByLayers("face", "write", "transaction", "scan")
          .whereLayer("fragment")
          .mayOnlyBeAccessedByLayers("face", "write", "transaction", "scan", "manifest");

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("dev.narwhal.lance.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule readersOfDataFilesKnowNoWriter =
      noClasses()
          .that()
          .resideInAPackage("..lance.datafile..")
          .and()
          .resideOutsideOfPackage("..lance.datafile.write..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..lance.datafile.write..");

  @ArchTest
  static final ArchRule errorsImportNothing =
      noClasses()
          .that()
          .resideInAPackage("..lance.error..")
          .should()
          .dependOnClassesThat(
              new DescribedPredicate<JavaClass>("belong to another package of ours") {
                @Override
                public boolean test(JavaClass type) {
                  return type.getPackageName().startsWith("dev.narwhal")
                      && !type.getPackageName().equals("dev.narwhal.lance.error");
                }
              });

  @ArchTest
  static final ArchRule codecsDoNoIo =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("Codec")
          .or()
          .resideInAPackage("..datafile.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.nio.file..", "java.net..", "..lance.storage..");

  @ArchTest
  static final ArchRule generatedMessagesStayOutOfPublicSignatures =
      noMethods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("..lance.proto..")
          .and()
          .areDeclaredInClassesThat()
          .areNotAssignableTo(Message.class)
          .and()
          .areDeclaredInClassesThat()
          .haveSimpleNameNotEndingWith("Codec")
          .should()
          .haveRawReturnType(
              new DescribedPredicate<JavaClass>("a generated message") {
                @Override
                public boolean test(JavaClass type) {
                  return type.isAssignableTo(Message.class);
                }
              });

  @ArchTest
  static final ArchRule thisModuleKnowsNoOtherFormat =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.iceberg..",
              "org.apache.hadoop..",
              "org.apache.parquet..",
              "dev.narwhal.puffin..",
              "dev.narwhal.iceberg..",
              "dev.narwhal.cli..");

  @ArchTest
  static final ArchRule publicFieldsAreConstants =
      fields()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("..lance.proto..")
          .should()
          .beStatic()
          .andShould()
          .beFinal();
}
