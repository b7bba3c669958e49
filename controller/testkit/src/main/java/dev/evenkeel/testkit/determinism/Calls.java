package dev.evenkeel.testkit.determinism;

import dev.evenkeel.testkit.determinism.Finding.Rule;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls differ from run to run, whoever makes them. */
final class Calls {
  private static final Set<String> RANDOM =
      Set.of(
          "java/util/Random",
          "java/util/SplittableRandom",
          "java/security/SecureRandom",
          "java/util/concurrent/ThreadLocalRandom");
  private static final Set<String> THREADS =
      Set.of(
          "java/lang/Thread",
          "java/util/Timer",
          "java/util/concurrent/Executor",
          "java/util/concurrent/ExecutorService",
          "java/util/concurrent/ScheduledExecutorService",
          "java/util/concurrent/Executors",
          "java/util/concurrent/ForkJoinPool");

  private Calls() {}

  static Optional<Rule> rule(MethodInsnNode call) {
    if (isClock(call)) {
      return Optional.of(Rule.CLOCK);
    }
    if (isRandom(call)) {
      return Optional.of(Rule.RANDOMNESS);
    }
    if (isThread(call)) {
      return Optional.of(Rule.THREADS);
    }
    boolean identity =
        call.owner.equals("java/lang/System") && call.name.equals("identityHashCode");
    return identity ? Optional.of(Rule.HASH_ORDER) : Optional.empty();
  }

  private static boolean isClock(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/System" ->
          call.name.equals("currentTimeMillis") || call.name.equals("nanoTime");
      case "java/util/Date" -> call.name.equals("<init>") && call.desc.equals("()V");
      case "java/util/Calendar" -> call.name.equals("getInstance");
      case "java/time/InstantSource" -> call.name.equals("system");
      default ->
          call.owner.startsWith("java/time/")
              && ((call.name.equals("now") && !takesClock(call)) || call.name.startsWith("system"));
    };
  }

  /** {@code Instant.now(clock)} is as good as the clock that it is given. */
  private static boolean takesClock(MethodInsnNode call) {
    Type[] arguments = Type.getArgumentTypes(call.desc);
    return arguments.length == 1 && arguments[0].getInternalName().equals("java/time/Clock");
  }

  private static boolean isRandom(MethodInsnNode call) {
    boolean seeded = call.owner.equals("java/util/Random") && !call.desc.equals("()V");
    boolean made = (call.name.equals("<init>") && !seeded) || call.name.equals("current");
    boolean shuffles =
        call.owner.equals("java/util/Collections")
            && call.name.equals("shuffle")
            && Type.getArgumentTypes(call.desc).length == 1;
    return (RANDOM.contains(call.owner) && made)
        || (call.owner.equals("java/util/UUID") && call.name.equals("randomUUID"))
        || (call.owner.equals("java/lang/Math") && call.name.equals("random"))
        || shuffles;
  }

  private static boolean isThread(MethodInsnNode call) {
    boolean later =
        call.owner.equals("java/util/concurrent/CompletableFuture") && call.name.endsWith("Async");
    return (THREADS.contains(call.owner) && !call.name.equals("currentThread"))
        || later
        || call.name.equals("parallelStream")
        || (call.owner.startsWith("java/util/stream/") && call.name.equals("parallel"));
  }
}
