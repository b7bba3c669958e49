package dev.evenkeel.testkit.determinism;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Finds collections without an order of their own whose elements are gone through. Follows them
 * within a method, and through the fields of its class.
 */
final class HashOrder {
  private static final Set<String> HASHED =
      Set.of(
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/IdentityHashMap",
          "java/util/WeakHashMap",
          "java/util/Hashtable",
          "java/util/concurrent/ConcurrentHashMap");
  private static final Set<String> GOES_THROUGH =
      Set.of("iterator", "forEach", "stream", "spliterator", "toArray", "removeIf", "toString");
  private static final Set<String> VIEWS = Set.of("entrySet", "keySet", "values", "newKeySet");
  private static final Set<String> COLLECTORS =
      Set.of("toSet", "toMap", "groupingBy", "toUnmodifiableSet", "toUnmodifiableMap");

  private final ClassNode owner;
  private final Set<String> fields = new HashSet<>();

  HashOrder(ClassNode owner) {
    this.owner = owner;
    for (MethodNode method : owner.methods) {
      Frame<SourceValue>[] frames = frames(method);
      for (int i = 0; i < frames.length; i++) {
        if (frames[i] != null && method.instructions.get(i) instanceof FieldInsnNode field) {
          noteField(field, frames[i]);
        }
      }
    }
  }

  private void noteField(FieldInsnNode field, Frame<SourceValue> frame) {
    boolean put = field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC;
    if (put && isHashed(frame.getStack(frame.getStackSize() - 1), Set.of())) {
      fields.add(field.owner + "." + field.name);
    }
  }

  /** The calls in a method that go through such a collection. */
  List<MethodInsnNode> in(MethodNode method) {
    List<MethodInsnNode> found = new ArrayList<>();
    Frame<SourceValue>[] frames = frames(method);
    for (int i = 0; i < frames.length; i++) {
      if (frames[i] != null
          && method.instructions.get(i) instanceof MethodInsnNode call
          && call.getOpcode() != Opcodes.INVOKESTATIC
          && GOES_THROUGH.contains(call.name)) {
        int below = Type.getArgumentTypes(call.desc).length;
        SourceValue receiver = frames[i].getStack(frames[i].getStackSize() - 1 - below);
        if (HASHED.contains(call.owner) || isHashed(receiver, fields)) {
          found.add(call);
        }
      }
    }
    return found;
  }

  private static boolean isHashed(SourceValue value, Set<String> known) {
    return value.insns.stream().anyMatch(made -> isHashed(made, known));
  }

  private static boolean isHashed(AbstractInsnNode made, Set<String> known) {
    if (made instanceof TypeInsnNode created && created.getOpcode() == Opcodes.NEW) {
      return HASHED.contains(created.desc);
    }
    if (made instanceof FieldInsnNode field) {
      return known.contains(field.owner + "." + field.name)
          || HASHED.contains(Type.getType(field.desc).getInternalName());
    }
    return made instanceof MethodInsnNode call && gives(call);
  }

  /** Calls that give a collection in hash order. */
  private static boolean gives(MethodInsnNode call) {
    boolean made =
        (call.name.equals("of") && Type.getArgumentTypes(call.desc).length > 0)
            || call.name.equals("copyOf")
            || call.name.equals("ofEntries");
    boolean immutable = call.owner.equals("java/util/Set") || call.owner.equals("java/util/Map");
    return (immutable && made) || (HASHED.contains(call.owner) && VIEWS.contains(call.name));
  }

  /** Whether a call makes a collector that gathers in hash order. */
  static boolean gathers(MethodInsnNode call) {
    boolean choosesMap =
        Type.getArgumentTypes(call.desc).length >= (call.name.equals("toMap") ? 4 : 3);
    return call.owner.equals("java/util/stream/Collectors")
        && COLLECTORS.contains(call.name)
        && !choosesMap;
  }

  private Frame<SourceValue>[] frames(MethodNode method) {
    try {
      return new Analyzer<>(new Origins()).analyze(owner.name, method);
    } catch (AnalyzerException impossible) {
      throw new IllegalStateException(owner.name + "." + method.name, impossible);
    }
  }

  /**
   * A value is where it was made, however often it is moved, cast, or looked at as a map's view.
   */
  private static final class Origins extends SourceInterpreter {
    Origins() {
      super(Opcodes.ASM9);
    }

    @Override
    public SourceValue copyOperation(AbstractInsnNode moved, SourceValue value) {
      return value;
    }

    @Override
    public SourceValue unaryOperation(AbstractInsnNode node, SourceValue value) {
      return node.getOpcode() == Opcodes.CHECKCAST ? value : super.unaryOperation(node, value);
    }

    @Override
    public SourceValue naryOperation(AbstractInsnNode node, List<? extends SourceValue> values) {
      boolean view =
          node instanceof MethodInsnNode call
              && call.getOpcode() != Opcodes.INVOKESTATIC
              && VIEWS.contains(call.name)
              && !values.isEmpty();
      return view ? values.get(0) : super.naryOperation(node, values);
    }
  }
}
