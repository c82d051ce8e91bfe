package dev.narwhal.iceberg;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Imports run one way: what a user asks for, then how files are made and read, then mapping. */
@AnalyzeClasses(
    packages = "dev.narwhal.iceberg",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  private static final String ROOT = "dev.narwhal.iceberg.";

  @ArchTest
  static final ArchRule PACKAGES_KNOW_ONLY_THOSE_BELOW =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("requests")
          .definedBy(ROOT + "export", ROOT + "rowdelete..", ROOT + "verify")
          .layer("files")
          .definedBy(ROOT + "deletes", ROOT + "parquet", ROOT + "source", ROOT + "table")
          .layer("mapping")
          .definedBy(ROOT + "mapping")
          .whereLayer("requests")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("files")
          .mayOnlyBeAccessedByLayers("requests")
          .whereLayer("mapping")
          .mayOnlyBeAccessedByLayers("requests", "files");

  @ArchTest
  static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
      slices().matching(ROOT + "(*)..").should().beFreeOfCycles();

  /** A change of rows: found, written, committed. */
  @ArchTest
  static final ArchRule STEPS_OF_A_CHANGE_KNOW_ONLY_THOSE_BEFORE =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("face")
          .definedBy(ROOT + "rowdelete")
          .layer("maintenance")
          .definedBy(ROOT + "rowdelete.maintenance")
          .layer("commit")
          .definedBy(ROOT + "rowdelete.commit")
          .layer("write")
          .definedBy(ROOT + "rowdelete.write")
          .layer("plan")
          .definedBy(ROOT + "rowdelete.plan")
          .layer("equality")
          .definedBy(ROOT + "rowdelete.equality")
          .layer("rows")
          .definedBy(ROOT + "rowdelete.rows")
          .whereLayer("face")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("maintenance")
          .mayOnlyBeAccessedByLayers("face")
          .whereLayer("commit")
          .mayOnlyBeAccessedByLayers("face", "maintenance")
          .whereLayer("write")
          .mayOnlyBeAccessedByLayers("face", "maintenance", "commit")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("face", "maintenance", "commit", "write")
          .whereLayer("equality")
          .mayOnlyBeAccessedByLayers("face", "maintenance", "write", "plan");
}
