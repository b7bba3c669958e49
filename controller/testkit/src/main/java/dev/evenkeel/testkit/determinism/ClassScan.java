package dev.evenkeel.testkit.determinism;

import dev.evenkeel.testkit.determinism.Finding.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Looks through one class. */
final class ClassScan {
  private static final String ALLOW = "Ldev/evenkeel/api/handler/AllowNondeterminism;";
  private static final String STEPS = "dev/evenkeel/api/txn/Steps$";
  private static final Set<String> ON_WORKERS =
      Set.of("dev/evenkeel/api/txn/Step", "dev/evenkeel/api/txn/Descriptor");

  private final ClassNode node;
  private final SortedSet<Finding> findings = new TreeSet<>();
  private final SortedSet<String> uses = new TreeSet<>();

  ClassScan(ClassNode node) {
    this.node = node;
    if (isAllowed(node.invisibleAnnotations) || runsOnWorkers()) {
      return;
    }
    SortedSet<String> steps = stepBodies();
    HashOrder order = new HashOrder(node);
    for (MethodNode method : node.methods) {
      if (!steps.contains(method.name + method.desc) && !isAllowed(method.invisibleAnnotations)) {
        scan(method, order);
      }
    }
  }

  SortedSet<Finding> findings() {
    return findings;
  }

  /** Other classes that it goes into. */
  SortedSet<String> uses() {
    return uses;
  }

  private boolean runsOnWorkers() {
    return node.interfaces.stream().anyMatch(ON_WORKERS::contains);
  }

  private boolean isAllowed(@Nullable List<AnnotationNode> annotations) {
    if (annotations == null) {
      return false;
    }
    for (AnnotationNode annotation : annotations) {
      if (annotation.desc.equals(ALLOW)) {
        boolean because =
            annotation.values != null && !String.valueOf(annotation.values.get(1)).isBlank();
        if (because) {
          return true;
        }
        throw new IllegalArgumentException(
            node.name.replace('/', '.') + ": @AllowNondeterminism needs a reason");
      }
    }
    return false;
  }

  /** Lambdas that are steps run on workers, and so does all that is only inside them. */
  private SortedSet<String> stepBodies() {
    SortedSet<String> bodies = new TreeSet<>();
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof InvokeDynamicInsnNode lambda
            && Type.getReturnType(lambda.desc).getDescriptor().startsWith("L" + STEPS)) {
          for (Object argument : lambda.bsmArgs) {
            if (argument instanceof Handle body && body.getOwner().equals(node.name)) {
              bodies.add(body.getName() + body.getDesc());
            }
          }
        }
      }
    }
    return bodies;
  }

  private void scan(MethodNode method, HashOrder order) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode call) {
        uses.add(call.owner);
        Calls.rule(call).ifPresent(rule -> found(rule, method, call, called(call)));
        if (HashOrder.gathers(call)) {
          found(Rule.HASH_ORDER, method, call, called(call) + " gathers in hash order");
        }
      } else if (instruction instanceof InvokeDynamicInsnNode lambda) {
        handles(method, lambda);
      }
    }
    for (MethodInsnNode call : order.in(method)) {
      found(Rule.HASH_ORDER, method, call, "goes through a hashed collection: " + called(call));
    }
  }

  /** A method that is named, like {@code Instant::now}, is called like any other. */
  private void handles(MethodNode method, InvokeDynamicInsnNode lambda) {
    boolean step = Type.getReturnType(lambda.desc).getDescriptor().startsWith("L" + STEPS);
    for (Object argument : lambda.bsmArgs) {
      if (argument instanceof Handle handle && !step) {
        uses.add(handle.getOwner());
        MethodInsnNode call =
            new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                handle.getOwner(),
                handle.getName(),
                handle.getDesc(),
                handle.isInterface());
        Calls.rule(call).ifPresent(rule -> found(rule, method, lambda, called(call)));
      }
    }
  }

  private void found(Rule rule, MethodNode method, AbstractInsnNode at, String what) {
    findings.add(
        new Finding(
            rule, node.name.replace('/', '.') + "." + method.name + ":" + lineOf(at), what));
  }

  private static int lineOf(AbstractInsnNode at) {
    AbstractInsnNode before = at;
    while (before != null && !(before instanceof LineNumberNode)) {
      before = before.getPrevious();
    }
    return before instanceof LineNumberNode line ? line.line : 0;
  }

  private static String called(MethodInsnNode call) {
    List<String> parts = new ArrayList<>(List.of(call.owner.split("/")));
    String name = parts.get(parts.size() - 1).replace('$', '.');
    return call.name.equals("<init>") ? "new " + name : name + "." + call.name;
  }
}
