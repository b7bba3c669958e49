package dev.evenkeel.scenarios.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.evenkeel.api.handler.EventHandler;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The rules of the house, each for itself, so that a test can show that it fails. */
final class HouseRules {
  private static final Set<String> WALL_CLOCK_AND_CHANCE =
      Set.of(
          System.class.getName() + ".currentTimeMillis",
          System.class.getName() + ".exit",
          Runtime.class.getName() + ".exit",
          Runtime.class.getName() + ".halt",
          Math.class.getName() + ".random",
          UUID.class.getName() + ".randomUUID",
          ThreadLocalRandom.class.getName() + ".current");

  private HouseRules() {}

  static ArchRule arrowsOf(Room room) {
    return classes()
        .that()
        .resideInAPackage(room.packages())
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(room.visible()))
        .because("that is what the architecture's table lets " + room + " see");
  }

  static ArchRule internalsStayInside(Room room) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(room.packages())
        .should()
        .dependOnClassesThat()
        .resideInAPackage(room.internals())
        .because("what is internal to " + room + " is nobody else's business");
  }

  /** Authors' handlers as well as the stock ones, in whatever package they live. */
  static ArchRule handlersDoNotSeeTheEngine() {
    DescribedPredicate<JavaClass> framework =
        resideInAnyPackage(Room.ENGINE.packages(), Room.LOOP.packages(), Room.TESTKIT.packages());
    return noClasses()
        .that(
            assignableTo(EventHandler.class)
                .or(resideInAPackage("dev.evenkeel.handlers.."))
                .and(DescribedPredicate.not(framework))
                .as("are handlers"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(Room.ENGINE.packages(), Room.LOOP.packages())
                .as("belong to the engine or the loop"))
        .because("all that a handler may do goes through its turn");
  }

  static ArchRule theApiNeitherLogsNorKnowsJson() {
    return noClasses()
        .that()
        .resideInAPackage(Room.API.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.slf4j..",
            "java.util.logging..",
            "org.apache.logging..",
            "tools.jackson..",
            "com.fasterxml..")
        .because("contracts must cost their users nothing");
  }

  static ArchRule packagesHaveNoCycles() {
    return slices()
        .assignedFrom(new ByPackage())
        .should()
        .beFreeOfCycles()
        .because("a cycle of packages is one package");
  }

  /** Rule 6: time, randomness and identifiers come from the turn, or from what was injected. */
  static ArchRule timeAndChanceAreGiven() {
    return noClasses()
        .that()
        .resideInAPackage("dev.evenkeel..")
        .should()
        .callCodeUnitWhere(
            describe("the wall clock, chance or the end of the process", HouseRules::isForbidden))
        .because("a run must be a function of its recording");
  }

  private static boolean isForbidden(JavaCall<?> call) {
    String owner = call.getTargetOwner().getName();
    String name = call.getTarget().getName();
    boolean plain = call.getTarget().getRawParameterTypes().isEmpty();
    return WALL_CLOCK_AND_CHANCE.contains(owner + "." + name)
        || (owner.equals(Instant.class.getName()) && name.equals("now") && plain)
        || (owner.equals(Random.class.getName()) && name.equals("<init>") && plain);
  }

  private static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith("dev.evenkeel.")
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of dev.evenkeel";
    }
  }
}
