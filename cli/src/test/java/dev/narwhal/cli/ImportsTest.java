package dev.narwhal.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.narwhal", importOptions = DoNotIncludeTests.class)
class ImportsTest {
  @ArchTest
  static final ArchRule NOTHING_IMPORTS_THE_COMMAND_LINE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.narwhal.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.narwhal.cli..");

  @ArchTest
  static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
      slices().matching("dev.narwhal.cli.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule PARTS_DO_NOT_KNOW_THE_VERBS =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.narwhal.cli.output..",
              "dev.narwhal.cli.rows..",
              "dev.narwhal.cli.report..",
              "dev.narwhal.cli.vectors..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.narwhal.cli");

  @ArchTest
  static final ArchRule NO_WIRE_MESSAGES =
      noClasses()
          .that()
          .resideInAPackage("dev.narwhal.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.narwhal.lance.proto..");
}
