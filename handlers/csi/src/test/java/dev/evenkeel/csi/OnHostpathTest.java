package dev.evenkeel.csi;

import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The conformance rows once more, on what {@code ./evenkeel csi} serves: all on one driver, in an
 * order drawn anew each time, which JUnit prints.
 */
@TestClassOrder(ClassOrderer.Random.class)
@ExtendWith(OnHostpath.class)
@DisplayName("On hostpath and the local store:")
@Timeout(120)
class OnHostpathTest {
  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Identity extends IdentityTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Controller extends ControllerTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class ExpandModify extends ExpandModifyTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Snapshots extends SnapshotsTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Groups extends GroupTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Node extends NodeTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class BadInput extends BadInputTest {}

  @Nested
  @TestMethodOrder(MethodOrderer.Random.class)
  class Beyond extends BeyondTest {
    @Override
    void identityWhileHanging() {} // no test here: this backend cannot be told to hang
  }
}
