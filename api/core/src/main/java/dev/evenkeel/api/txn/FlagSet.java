package dev.evenkeel.api.txn;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of flags, in their own order. There is one for each combination, so that the
 * many records of a history share them.
 */
final class FlagSet extends AbstractSet<OperationFlag> {
  private static final OperationFlag[] ALL = OperationFlag.values();
  private static final FlagSet[] SETS = combinations();

  private final List<OperationFlag> flags;

  private FlagSet(List<OperationFlag> flags) {
    this.flags = List.copyOf(flags);
  }

  static Set<OperationFlag> of(Set<OperationFlag> flags) {
    if (flags instanceof FlagSet) {
      return flags;
    }
    int bits = 0;
    for (int i = 0; i < ALL.length; i++) {
      bits |= flags.contains(ALL[i]) ? 1 << i : 0;
    }
    return SETS[bits];
  }

  private static FlagSet[] combinations() {
    FlagSet[] sets = new FlagSet[1 << ALL.length];
    for (int bits = 0; bits < sets.length; bits++) {
      List<OperationFlag> flags = new ArrayList<>();
      for (int i = 0; i < ALL.length; i++) {
        if ((bits & (1 << i)) != 0) {
          flags.add(ALL[i]);
        }
      }
      sets[bits] = new FlagSet(flags);
    }
    return sets;
  }

  @Override
  public boolean contains(@Nullable Object flag) {
    return flag instanceof OperationFlag && flags.contains(flag);
  }

  @Override
  public Iterator<OperationFlag> iterator() {
    return flags.iterator();
  }

  @Override
  public int size() {
    return flags.size();
  }
}
