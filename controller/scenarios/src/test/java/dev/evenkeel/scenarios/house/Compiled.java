package dev.evenkeel.scenarios.house;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds small sources against the rooms, and lets ArchUnit look at the result alone. */
final class Compiled {
  private Compiled() {}

  static JavaClasses in(Path folder, String... sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), "-proc:none");
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      boolean done = compiler.getTask(messages, files, null, options, null, units(sources)).call();
      assertTrue(done, () -> "the case itself does not compile: " + messages);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return new ClassFileImporter().importPath(folder);
  }

  private static List<JavaFileObject> units(String... sources) {
    List<JavaFileObject> units = new ArrayList<>();
    for (String source : sources) {
      String type = source.replaceAll("(?s).*?\\bclass (\\w+).*", "$1");
      units.add(new Source(type, source));
    }
    return units;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("mem:///" + type + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
