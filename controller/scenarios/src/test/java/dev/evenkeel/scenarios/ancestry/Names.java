package dev.evenkeel.scenarios.ancestry;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds what a reference such as {@code Event#type} means among the public types of the house. */
final class Names {
  private final List<Class<?>> types = new ArrayList<>();

  Names() {
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.evenkeel.api")) {
      if (!type.isAnonymousClass() && !type.getSimpleName().endsWith("-info")) {
        types.add(type.reflect());
      }
    }
  }

  /** What is wrong with a reference; empty when it means one thing that exists. */
  Optional<String> fault(String reference) {
    int hash = reference.indexOf('#');
    String name = hash < 0 ? reference : reference.substring(0, hash);
    List<Class<?>> found = types.stream().filter(type -> isNamed(type, name)).toList();
    if (found.size() != 1) {
      return Optional.of(reference + " means " + (found.isEmpty() ? "no type" : found));
    }
    Class<?> type = found.get(0);
    return hash < 0 || hasMember(type, reference.substring(hash + 1))
        ? Optional.empty()
        : Optional.of(reference + ": " + type.getName() + " has no such member");
  }

  private static boolean isNamed(Class<?> type, String name) {
    String whole = type.getName().replace('$', '.');
    return whole.equals(name) || (!isWhole(name) && whole.endsWith("." + name));
  }

  private static boolean isWhole(String name) {
    return name.startsWith("dev.evenkeel.");
  }

  private static boolean hasMember(Class<?> type, String member) {
    return Arrays.stream(type.getMethods()).anyMatch(m -> m.getName().equals(member))
        || Arrays.stream(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals(member))
        || Arrays.stream(type.getFields()).anyMatch(f -> f.getName().equals(member));
  }
}
