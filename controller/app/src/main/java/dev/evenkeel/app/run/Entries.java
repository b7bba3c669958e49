package dev.evenkeel.app.run;

import dev.evenkeel.app.workload.Entry;
import dev.evenkeel.app.workload.WorkloadReader;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Where the lines of a workload come from: all read already, or one after another. */
public interface Entries {
  /** The next one, or null at the end; blocks. */
  @Nullable Entry next() throws IOException;

  /** How many there are, if that is known. */
  OptionalLong total();

  /** Those. */
  static Entries of(List<Entry> all) {
    Iterator<Entry> left = all.iterator();
    return new Entries() {
      @Override
      public @Nullable Entry next() {
        return left.hasNext() ? left.next() : null;
      }

      @Override
      public OptionalLong total() {
        return OptionalLong.of(all.size());
      }
    };
  }

  /** As they come. */
  static Entries of(WorkloadReader reader) {
    return new Entries() {
      @Override
      public @Nullable Entry next() throws IOException {
        return reader.next();
      }

      @Override
      public OptionalLong total() {
        return OptionalLong.empty();
      }
    };
  }
}
