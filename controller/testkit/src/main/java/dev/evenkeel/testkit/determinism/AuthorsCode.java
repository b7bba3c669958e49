package dev.evenkeel.testkit.determinism;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** The classes that come from the same folder or jar as a handler. */
final class AuthorsCode {
  private final @Nullable ClassLoader loader;
  private final String root;

  private AuthorsCode(@Nullable ClassLoader loader, String root) {
    this.loader = loader;
    this.root = root;
  }

  static AuthorsCode of(Class<?> handler) {
    String file = handler.getName().replace('.', '/') + ".class";
    URL url = find(handler.getClassLoader(), file);
    if (url == null) {
      throw new IllegalArgumentException(
          "the class file of " + handler.getName() + " cannot be found: give a class with a name");
    }
    String text = url.toString();
    return new AuthorsCode(
        handler.getClassLoader(), text.substring(0, text.length() - file.length()));
  }

  private static @Nullable URL find(@Nullable ClassLoader loader, String file) {
    return loader == null ? ClassLoader.getSystemResource(file) : loader.getResource(file);
  }

  /** A class of the author's; empty for everybody else's. */
  Optional<ClassNode> read(String name) {
    URL url = find(loader, name + ".class");
    if (url == null || !url.toString().startsWith(root)) {
      return Optional.empty();
    }
    try (InputStream in = url.openStream()) {
      ClassNode node = new ClassNode();
      new ClassReader(in).accept(node, ClassReader.SKIP_FRAMES);
      return Optional.of(node);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
