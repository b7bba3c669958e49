package dev.evenkeel.tck.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store that cannot watch says to those who ask it to (datastore reference, section 4). */
public abstract class NoWatchContract extends DatastoreContract {
  /** For subclasses. */
  protected NoWatchContract() {}

  @Test
  @DisplayName("SY-20 a store that cannot watch in order refuses to, from any revision, and lists")
  void noWatch() {
    assertFalse(can(Capability.ORDERED_WATCH), "a store that can: extend WatchContract");
    assertFalse(can(Capability.LATEST_WATCH), "a store that can: extend LatestWatchContract");
    Revision made = create(key("a"), 1).revision();
    Recorder<Item> seen = new Recorder<>(patience());
    for (ListOptions<Item> options :
        List.of(ListOptions.all(ItemKey.TYPE), ListOptions.one(key("a")))) {
      for (Revision from : List.of(Revision.NONE, Revision.ZERO, made)) {
        assertNotSupported(
            "watch", options.root(), () -> store().watch(options, from, seen).close());
      }
    }
    seen.checkQuiet();
    assertEquals(List.of(key("a").path()), paths(ListOptions.all(ItemKey.TYPE)));
  }
}
