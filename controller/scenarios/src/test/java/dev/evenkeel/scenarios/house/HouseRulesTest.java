package dev.evenkeel.scenarios.house;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@DisplayName("The house")
final class HouseRulesTest {
  private static JavaClasses house;

  @BeforeAll
  static void importTheLibraries() {
    house =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.evenkeel");
  }

  @ParameterizedTest(name = "{0} is seen by its rules")
  @FieldSource("dev.evenkeel.scenarios.house.Room#ALL")
  void everyRoomIsThere(Room room) {
    assertFalse(
        house.stream().noneMatch(type -> type.getPackageName().startsWith(room.root())),
        "no class of " + room.root() + " was found: the rules would hold for nothing");
  }

  @ParameterizedTest(name = "{0} sees what its row of the table names, and nothing else")
  @FieldSource("dev.evenkeel.scenarios.house.Room#ALL")
  void arrows(Room room) {
    HouseRules.arrowsOf(room).check(house);
  }

  @ParameterizedTest(name = "{0} keeps its internals to itself")
  @FieldSource("dev.evenkeel.scenarios.house.Room#ALL")
  void internals(Room room) {
    HouseRules.internalsStayInside(room).check(house);
  }

  @Test
  @DisplayName("handlers never see the engine")
  void handlers() {
    HouseRules.handlersDoNotSeeTheEngine().check(house);
  }

  @Test
  @DisplayName("the API has no logger and no Jackson")
  void api() {
    HouseRules.theApiNeitherLogsNorKnowsJson().check(house);
  }

  @Test
  @DisplayName("no room has a cycle of packages")
  void cycles() {
    HouseRules.packagesHaveNoCycles().check(house);
  }

  @Test
  @DisplayName("no library asks the wall clock, rolls dice, or ends the process")
  void timeAndChance() {
    HouseRules.timeAndChanceAreGiven().check(house);
  }
}
